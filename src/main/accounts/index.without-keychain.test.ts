import { describe, expect, it } from 'vitest'
import { connect, connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'

describe('without a keychain', () => {
  it('an account stays in memory for this run, is renewed, and reports why it will not stay signed in', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    harness.secrets.failing = 'no such bus'
    const account = await connect(harness, sandbox)
    const reason = { kind: 'keychain-unavailable', reason: 'no such bus' }
    expect(account).toMatchObject({ state: 'signed-in', staysSignedIn: false, failure: reason })
    expect(harness.keychain.state()).toEqual({ available: false, reason: 'no such bus' })
    await control(sandbox, 'DELETE', '/sessions')
    expect((await harness.accounts.service(account.id).machines.list({})).total).toBe(12)
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { id: account.id, state: 'signed-out', staysSignedIn: false, failure: reason },
    ])
  })

  it('an account signs in when the locked keyring with its secret opens', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp({ keychainSeconds: 0.05 })
    const { id } = await connect(harness, sandbox)
    const unlock = harness.secrets.lock()
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { id, state: 'signed-out', staysSignedIn: true, failure: { kind: 'keychain-unavailable' } },
    ])
    const states: boolean[] = []
    harness.keychain.onChange(({ available }) => states.push(available))
    unlock()
    await expect
      .poll(() => accounts.view().accounts[0])
      .toMatchObject({ id, state: 'signed-in', failure: null })
    expect(states).toEqual([true])
  })

  it('an account whose secret was refused once does not read the keychain when sign-ins are retried', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    await connect(harness, sandbox)
    harness.secrets.failing = 'the person said no'
    const accounts = await harness.restart()
    await accounts.resume()
    const views: unknown[] = []
    accounts.onChange((view) => views.push(view))
    harness.secrets.failing = null
    await accounts.resume()
    expect(views).toEqual([])
    expect(accounts.view().accounts).toMatchObject([{ failure: { kind: 'keychain-unavailable' } }])
  })

  it('secrets that could not be stored are stored once the keychain is available', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    harness.secrets.failing = 'locked'
    const first = await connect(harness, sandbox)
    harness.secrets.failing = null
    const second = await connectWithToken(harness, sandbox)
    await expect
      .poll(() => [...harness.secrets.entries.keys()].sort())
      .toEqual([`${first.id}/password-digest`, `${first.id}/username`, `${second.id}/api-token`].sort())
    await expect
      .poll(() => harness.accounts.view().accounts)
      .toMatchObject([
        { staysSignedIn: true, failure: null },
        { staysSignedIn: true, failure: null },
      ])
  })

  it('an account asks for a secret that somebody removed', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    await harness.secrets.deletePassword('Wheelhouse', `${id}/password-digest`)
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { state: 'signed-out', failure: { kind: 'not-signed-in', reason: 'signed-out' } },
    ])
  })
})
