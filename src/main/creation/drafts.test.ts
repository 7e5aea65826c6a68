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
    await harness.drafts.setAside(account, 'machine', {
      ...draft('waited'),
      request: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a99',
    })
    const offered = await harness.handlers['creation.replacedDraft']({ account, kind: 'machine' })
    expect(offered?.name).toBe('waited')
    expect(await harness.handlers['creation.draft']({ account, kind: 'machine' })).toEqual(draft('typed'))
    await harness.forgetAccount(account)
    expect(await harness.handlers['creation.draft']({ account, kind: 'machine' })).toBeNull()
  })
})
