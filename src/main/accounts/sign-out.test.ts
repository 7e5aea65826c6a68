import { describe, expect, it } from 'vitest'
import { connect, connectWithToken, control, runSandbox, sitDown } from '../../../test/fixtures/account-harness'

const signedOut = { failure: { kind: 'not-signed-in', reason: 'signed-out' } }

describe('signing out', () => {
  it('drops the tokens and the kept secret, and keeps the account', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const { id } = await connect(desk, sandbox)
    const account = await desk.accounts.handlers['accounts.signOut']({ account: id })
    expect(account).toMatchObject({ id, state: 'signed-out', staysSignedIn: false, failure: null })
    expect([...desk.secrets.entries]).toEqual([])
    await expect(desk.accounts.service(id).images.list()).rejects.toMatchObject(signedOut)
    const accounts = await desk.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([{ id, state: 'signed-out', failure: null }])
  })

  it('wins over a sign-in that is under way', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const { id } = await connect(desk, sandbox)
    await control(sandbox, 'DELETE', '/sessions')
    await control(sandbox, 'POST', '/faults', { kind: 'delay', milliseconds: 100, path: '/login' })
    const waiting = desk.accounts.service(id).images.list()
    const outcome = expect(waiting).rejects.toMatchObject(signedOut)
    await desk.accounts.handlers['accounts.signOut']({ account: id })
    await outcome
    expect(desk.accounts.view().accounts).toMatchObject([{ state: 'signed-out', failure: null }])
  })

  it('holds at once where the keychain does not answer, and the secret goes when it does', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const { id } = await connect(desk, sandbox)
    desk.secrets.failing = 'locked'
    const account = await desk.accounts.handlers['accounts.signOut']({ account: id })
    expect(account).toMatchObject({
      state: 'signed-out',
      staysSignedIn: false,
      failure: { kind: 'keychain-unavailable', reason: 'locked' },
    })
    desk.secrets.failing = null
    await connectWithToken(desk, sandbox)
    await expect.poll(() => desk.secrets.entries.has(`${id}/password-digest`)).toBe(false)
    await expect.poll(() => desk.accounts.view().accounts[0]).toMatchObject({ id, failure: null })
  })
})

describe('forgetting an account', () => {
  it('removes everything kept about it, here and in the other parts', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const first = await connect(desk, sandbox)
    const second = await connectWithToken(desk, sandbox)
    await desk.accounts.handlers['accounts.forget']({ account: second.id })
    expect(desk.accounts.view()).toMatchObject({ accounts: [{ id: first.id }], selected: first.id })
    expect([...desk.secrets.entries.keys()]).toEqual([`${first.id}/password-digest`])
    expect(desk.forgotten).toEqual([second.id])
    expect(await desk.filesText()).not.toContain(second.id)
    await expect(desk.accounts.service(second.id).images.list()).rejects.toMatchObject(signedOut)
  })

  it('does not pretend where the keychain does not let go of the secret', async () => {
    const sandbox = await runSandbox()
    const desk = await sitDown()
    const { id } = await connect(desk, sandbox)
    desk.secrets.failing = 'locked'
    const forget = () => desk.accounts.handlers['accounts.forget']({ account: id })
    await expect(forget()).rejects.toMatchObject({ failure: { kind: 'keychain-unavailable' } })
    expect(desk.accounts.view().accounts).toMatchObject([{ id, state: 'signed-out' }])
    expect(desk.forgotten).toEqual([])
    desk.secrets.failing = null
    await forget()
    expect(desk.accounts.view().accounts).toEqual([])
    expect([...desk.secrets.entries]).toEqual([])
  })

  it('is refused for an account that nobody knows', async () => {
    const desk = await sitDown()
    await expect(
      desk.accounts.handlers['accounts.forget']({ account: 'abcdefghijkl' }),
    ).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'account', reason: 'unknown' },
    })
  })
})
