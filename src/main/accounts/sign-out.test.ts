import { describe, expect, it } from 'vitest'
import { connect, connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'

const signedOut = { failure: { kind: 'not-signed-in', reason: 'signed-out' } }

describe('signing out', () => {
  it('drops the tokens and the stored secret, and keeps the account', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    const account = await harness.accounts.handlers['accounts.signOut']({ account: id })
    expect(account).toMatchObject({ id, state: 'signed-out', staysSignedIn: false, failure: null })
    expect([...harness.secrets.entries]).toEqual([])
    await expect(harness.accounts.service(id).images.list()).rejects.toMatchObject(signedOut)
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([{ id, state: 'signed-out', failure: null }])
  })

  it('cancels a running sign-in', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    await control(sandbox, 'DELETE', '/sessions')
    await control(sandbox, 'POST', '/faults', { kind: 'delay', milliseconds: 100, path: '/login' })
    const waiting = harness.accounts.service(id).images.list()
    const outcome = expect(waiting).rejects.toMatchObject(signedOut)
    await harness.accounts.handlers['accounts.signOut']({ account: id })
    await outcome
    expect(harness.accounts.view().accounts).toMatchObject([{ state: 'signed-out', failure: null }])
  })

  it('takes effect at once if the keychain does not answer, and removes the secret later', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    harness.secrets.failing = 'locked'
    const account = await harness.accounts.handlers['accounts.signOut']({ account: id })
    expect(account).toMatchObject({
      state: 'signed-out',
      staysSignedIn: false,
      failure: { kind: 'keychain-unavailable', reason: 'locked' },
    })
    harness.secrets.failing = null
    await connectWithToken(harness, sandbox)
    await expect.poll(() => harness.secrets.entries.has(`${id}/password-digest`)).toBe(false)
    await expect.poll(() => harness.accounts.view().accounts[0]).toMatchObject({ id, failure: null })
  })
})

describe('forgetting an account', () => {
  it('deletes all its data, here and in other modules', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const first = await connect(harness, sandbox)
    const second = await connectWithToken(harness, sandbox)
    await harness.accounts.handlers['accounts.forget']({ account: second.id })
    expect(harness.accounts.view()).toMatchObject({ accounts: [{ id: first.id }], selected: first.id })
    expect([...harness.secrets.entries.keys()]).toEqual([
      `${first.id}/username`,
      `${first.id}/password-digest`,
    ])
    expect(harness.forgotten).toEqual([second.id])
    expect(await harness.filesText()).not.toContain(second.id)
    await expect(harness.accounts.service(second.id).images.list()).rejects.toMatchObject(signedOut)
  })

  it('fails if the keychain does not remove the secret', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    harness.secrets.failing = 'locked'
    const forget = () => harness.accounts.handlers['accounts.forget']({ account: id })
    await expect(forget()).rejects.toMatchObject({ failure: { kind: 'keychain-unavailable' } })
    expect(harness.accounts.view().accounts).toMatchObject([{ id, state: 'signed-out' }])
    expect(harness.forgotten).toEqual([])
    harness.secrets.failing = null
    await forget()
    expect(harness.accounts.view().accounts).toEqual([])
    expect([...harness.secrets.entries]).toEqual([])
  })

  it('is refused for an unknown account', async () => {
    const harness = await setUp()
    await expect(
      harness.accounts.handlers['accounts.forget']({ account: 'abcdefghijkl' }),
    ).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'account', reason: 'unknown' },
    })
  })
})
