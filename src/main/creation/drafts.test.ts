import { describe, expect, it } from 'vitest'
import { connectWithToken, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation } from '../../../test/fixtures/creation-harness'
import { draft } from '../../../test/fixtures/creation-order'
import { eagerClock } from '../../../test/fixtures/fake-clock'

describe('a draft', () => {
  it('survives a restart per account and kind, without a private key pasted by mistake', async () => {
    const office = await setUp()
    const { id: account } = await connectWithToken(office, await runSandbox())
    const bench = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    const secret = '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END OPENSSH PRIVATE KEY-----'
    const keep = bench.harness.handlers['creation.keepDraft']
    await keep({ account, kind: 'machine', draft: { ...draft('typed'), pastedKey: secret } })
    await keep({ account, kind: 'bare-metal', draft: draft('metal') })
    const harness = await bench.restart({})
    expect(await harness.handlers['creation.draft']({ account, kind: 'machine' })).toEqual(draft('typed'))
    expect(await harness.handlers['creation.draft']({ account, kind: 'bare-metal' })).toEqual(draft('metal'))
    await harness.forgetAccount(account)
    expect(await harness.handlers['creation.draft']({ account, kind: 'machine' })).toBeNull()
  })
})
