import { describe, expect, it } from 'vitest'
import { connect, runSandbox, sitDown } from '../../../test/fixtures/account-harness'

describe('looking around', () => {
  it('starts the sandbox once, whoever asks, and signs in to it', async () => {
    const desk = await sitDown()
    const look = desk.accounts.handlers['accounts.lookAround']
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
    expect(desk.accounts.view()).toEqual({ accounts: [account], selected: account.id })
    expect(desk.started).toHaveLength(1)
    expect((await desk.accounts.service(account.id).machines.list({})).total).toBe(3)
  })

  it('keeps the sandbox secret in the keychain, and with it the same world at the next start', async () => {
    const desk = await sitDown()
    const before = await desk.accounts.handlers['accounts.lookAround']({})
    const secret = desk.secrets.entries.get('sandbox/secret')
    expect([...desk.secrets.entries.keys()]).toEqual(['sandbox/secret'])
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const accounts = await desk.restart()
    await accounts.resume()
    expect(desk.started).toEqual([
      { secret, persistent: true, fresh: true },
      { secret, persistent: true, fresh: false },
    ])
    const [account] = accounts.view().accounts
    expect(account).toMatchObject({ id: before.id, sandbox: true, state: 'signed-in' })
    expect(account?.baseUrl).not.toBe(before.baseUrl)
    expect(await desk.filesText()).not.toContain(secret)
  })

  it('starts it again, with the same world, where its process ends by itself', async () => {
    const desk = await sitDown()
    const before = await desk.accounts.handlers['accounts.lookAround']({})
    await desk.accounts.sandboxLost()
    expect(desk.started).toMatchObject([{ fresh: true }, { fresh: false, secret: desk.started[0]?.secret }])
    const [account] = desk.accounts.view().accounts
    expect(account).toMatchObject({ id: before.id, state: 'signed-in', failure: null })
    expect(account?.baseUrl).not.toBe(before.baseUrl)
    expect((await desk.accounts.service(before.id).machines.list({})).total).toBe(3)
  })

  it('leaves it ended where nobody was signed in to it', async () => {
    const desk = await sitDown()
    const { id } = await desk.accounts.handlers['accounts.lookAround']({})
    await desk.accounts.handlers['accounts.signOut']({ account: id })
    await desk.accounts.sandboxLost()
    expect(desk.started).toHaveLength(1)
  })

  it('tells SSH the port and the key of the sandbox, for its account alone', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const other = await connect(desk, sandbox)
    const account = await desk.accounts.handlers['accounts.lookAround']({})
    expect(desk.accounts.sshDefaults(other.id)).toEqual({})
    const { port, identityFile } = desk.accounts.sshDefaults(account.id)
    expect(port).toBeGreaterThan(0)
    expect(identityFile).toMatch(/\w/)
  })

  it('starts no sandbox where nobody looks around', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    await connect(desk, sandbox)
    await (await desk.restart()).resume()
    expect(desk.started).toEqual([])
  })

  it('stays out after signing out, until the person looks around again', async () => {
    const desk = await sitDown()
    const look = () => desk.accounts.handlers['accounts.lookAround']({})
    const { id } = await look()
    await desk.accounts.handlers['accounts.signOut']({ account: id })
    await (await desk.restart()).resume()
    expect(desk.started).toHaveLength(1)
    expect(desk.accounts.view().accounts).toMatchObject([{ id, state: 'signed-out', staysSignedIn: false }])
    expect(await look()).toMatchObject({ id, state: 'signed-in' })
  })

  it('lasts for this run where the keychain cannot keep the secret', async () => {
    const desk = await sitDown()
    desk.secrets.failing = 'locked'
    expect(await desk.accounts.handlers['accounts.lookAround']({})).toMatchObject({ state: 'signed-in' })
    expect(desk.started).toMatchObject([{ persistent: false }])
  })

  it('leaves the secret of the kept world alone where the keychain is locked today', async () => {
    const desk = await sitDown()
    await desk.accounts.handlers['accounts.lookAround']({})
    const secret = desk.secrets.entries.get('sandbox/secret')
    desk.secrets.failing = 'locked'
    const accounts = await desk.restart()
    await accounts.resume()
    expect(desk.started[1]).toMatchObject({ persistent: false })
    expect(accounts.view().accounts).toMatchObject([{ state: 'signed-in' }])
    expect(desk.secrets.entries.get('sandbox/secret')).toBe(secret)
  })

  it('finds a new sandbox where the one it knew is gone', async () => {
    const desk = await sitDown()
    const before = await desk.accounts.handlers['accounts.lookAround']({})
    await desk.stopSandbox()
    const after = await desk.accounts.handlers['accounts.lookAround']({})
    expect(after).toMatchObject({ id: before.id, state: 'signed-in' })
    expect(desk.started).toHaveLength(2)
  })

  it('says why the sandbox does not start, and tries again when asked again', async () => {
    const desk = await sitDown()
    desk.sandboxFault = 'exit code 1'
    const look = desk.accounts.handlers['accounts.lookAround']
    await expect(look({})).rejects.toMatchObject({ failure: { kind: 'local-fault', reason: 'exit code 1' } })
    expect(desk.accounts.view().accounts).toEqual([])
    desk.sandboxFault = null
    expect(await look({})).toMatchObject({ state: 'signed-in' })
  })

  it('forgets the sandbox with its secret', async () => {
    const desk = await sitDown()
    const { id } = await desk.accounts.handlers['accounts.lookAround']({})
    await desk.accounts.handlers['accounts.forget']({ account: id })
    expect([...desk.secrets.entries]).toEqual([])
    expect(desk.forgotten).toEqual([id])
    const again = await desk.accounts.handlers['accounts.lookAround']({})
    expect(again.id).not.toBe(id)
    expect(desk.started[1]?.secret).not.toBe(desk.started[0]?.secret)
  })
})
