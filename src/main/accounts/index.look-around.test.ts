import { describe, expect, it } from 'vitest'
import { connect, runSandbox, setUp } from '../../../test/fixtures/account-harness'

describe('looking around', () => {
  it('starts the sandbox once for all callers, and signs in to it', async () => {
    const harness = await setUp()
    const look = harness.accounts.handlers['accounts.lookAround']
    const [account, same] = await Promise.all([look({}), look({})])
    expect(await look({})).toEqual(account)
    expect(same).toEqual(account)
    expect(account).toMatchObject({
      label: 'Sandbox',
      sandbox: true,
      state: 'signed-in',
      staysSignedIn: true,
      failure: null,
    })
    expect(harness.accounts.view()).toEqual({ accounts: [account], selected: account.id })
    expect(harness.started).toHaveLength(1)
    expect((await harness.accounts.service(account.id).machines.list({})).total).toBe(3)
  })

  it('stores the sandbox secret in the keychain, and opens the same world at the next start', async () => {
    const harness = await setUp()
    const before = await harness.accounts.handlers['accounts.lookAround']({})
    const secret = harness.secrets.entries.get('sandbox/secret')
    expect([...harness.secrets.entries.keys()]).toEqual(['sandbox/secret'])
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const accounts = await harness.restart()
    await accounts.resume()
    expect(harness.started).toEqual([
      { secret, persistent: true, fresh: true },
      { secret, persistent: true, fresh: false },
    ])
    const [account] = accounts.view().accounts
    expect(account).toMatchObject({ id: before.id, sandbox: true, state: 'signed-in' })
    expect(account?.baseUrl).not.toBe(before.baseUrl)
    expect(await harness.filesText()).not.toContain(secret)
  })

  it('restarts a sandbox that ended unexpectedly, with the same world', async () => {
    const harness = await setUp()
    const before = await harness.accounts.handlers['accounts.lookAround']({})
    await harness.loseSandbox()
    expect(harness.started).toMatchObject([
      { fresh: true },
      { fresh: false, secret: harness.started[0]?.secret },
    ])
    const [account] = harness.accounts.view().accounts
    expect(account).toMatchObject({ id: before.id, state: 'signed-in', failure: null })
    expect(account?.baseUrl).not.toBe(before.baseUrl)
    expect((await harness.accounts.service(before.id).machines.list({})).total).toBe(3)
  })

  it('does not restart a sandbox without a signed-in account', async () => {
    const harness = await setUp()
    const { id } = await harness.accounts.handlers['accounts.lookAround']({})
    await harness.accounts.handlers['accounts.signOut']({ account: id })
    await harness.loseSandbox()
    expect(harness.started).toHaveLength(1)
  })

  it('gives SSH the port and the key of the sandbox for its account only', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const other = await connect(harness, sandbox)
    const account = await harness.accounts.handlers['accounts.lookAround']({})
    expect(harness.accounts.sshDefaults(other.id)).toEqual({})
    const { port, identityFile } = harness.accounts.sshDefaults(account.id)
    expect(port).toBeGreaterThan(0)
    expect(identityFile).toMatch(/\w/)
  })

  it('starts no sandbox if nobody looks around', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    await connect(harness, sandbox)
    await (await harness.restart()).resume()
    expect(harness.started).toEqual([])
  })

  it('stays signed out until the user looks around again', async () => {
    const harness = await setUp()
    const look = () => harness.accounts.handlers['accounts.lookAround']({})
    const { id } = await look()
    await harness.accounts.handlers['accounts.signOut']({ account: id })
    await (await harness.restart()).resume()
    expect(harness.started).toHaveLength(1)
    expect(harness.accounts.view().accounts).toMatchObject([
      { id, state: 'signed-out', staysSignedIn: false },
    ])
    expect(await look()).toMatchObject({ id, state: 'signed-in' })
  })

  it('lasts for this run if the keychain cannot store the secret', async () => {
    const harness = await setUp()
    harness.secrets.failing = 'locked'
    expect(await harness.accounts.handlers['accounts.lookAround']({})).toMatchObject({ state: 'signed-in' })
    expect(harness.started).toMatchObject([{ persistent: false }])
  })

  it('does not replace the secret of the stored world if the keychain is locked', async () => {
    const harness = await setUp()
    await harness.accounts.handlers['accounts.lookAround']({})
    const secret = harness.secrets.entries.get('sandbox/secret')
    harness.secrets.failing = 'locked'
    const accounts = await harness.restart()
    await accounts.resume()
    expect(harness.started[1]).toMatchObject({ persistent: false })
    expect(accounts.view().accounts).toMatchObject([{ state: 'signed-in' }])
    expect(harness.secrets.entries.get('sandbox/secret')).toBe(secret)
  })

  it('starts a new sandbox if the earlier one is gone', async () => {
    const harness = await setUp()
    const before = await harness.accounts.handlers['accounts.lookAround']({})
    await harness.stopSandbox()
    const after = await harness.accounts.handlers['accounts.lookAround']({})
    expect(after).toMatchObject({ id: before.id, state: 'signed-in' })
    expect(harness.started).toHaveLength(2)
  })

  it('reports why the sandbox does not start, and tries again on request', async () => {
    const harness = await setUp()
    harness.sandboxFault = 'exit code 1'
    const look = harness.accounts.handlers['accounts.lookAround']
    await expect(look({})).rejects.toMatchObject({ failure: { kind: 'local-fault', reason: 'exit code 1' } })
    expect(harness.accounts.view().accounts).toEqual([])
    harness.sandboxFault = null
    expect(await look({})).toMatchObject({ state: 'signed-in' })
  })

  it('deletes the sandbox with its secret', async () => {
    const harness = await setUp()
    const { id } = await harness.accounts.handlers['accounts.lookAround']({})
    await harness.accounts.handlers['accounts.forget']({ account: id })
    expect([...harness.secrets.entries]).toEqual([])
    expect(harness.forgotten).toEqual([id])
    const again = await harness.accounts.handlers['accounts.lookAround']({})
    expect(again.id).not.toBe(id)
    expect(harness.started[1]?.secret).not.toBe(harness.started[0]?.secret)
  })
})
