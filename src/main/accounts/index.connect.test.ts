import { describe, expect, it } from 'vitest'
import {
  connect,
  connectWithToken,
  control,
  requestsTo,
  runSandbox,
  setUp,
} from '../../../test/fixtures/account-harness'
import { passwordDigest } from './wire-credential'

describe('connecting to a service', () => {
  it('signs in with user name and password, and stores only the digest, in the keychain', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const account = await connect(harness, sandbox)
    expect(account).toMatchObject({
      baseUrl: sandbox.baseUrl,
      label: `${sandbox.username} @ ${new URL(sandbox.baseUrl).host}`,
      credential: 'password',
      username: sandbox.username,
      sandbox: false,
      state: 'signed-in',
      staysSignedIn: true,
      failure: null,
    })
    expect(harness.accounts.view()).toEqual({ accounts: [account], selected: account.id })
    expect((await harness.accounts.service(account.id).machines.list({})).total).toBe(12)
    const digest = passwordDigest(sandbox.password)
    expect([...harness.secrets.entries]).toEqual([
      [`${account.id}/username`, sandbox.username],
      [`${account.id}/password-digest`, digest],
    ])
    expect(await requestsTo(sandbox)).toEqual([
      'GET /virtual-machines 401',
      'POST /authenticate/login 200',
      'GET /virtual-machines 200',
    ])
  })

  it('leaves no secret in files, views or answers', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const views: unknown[] = []
    harness.accounts.onChange((view) => views.push(view))
    views.push(await connect(harness, sandbox), await connectWithToken(harness, sandbox))
    const seen = JSON.stringify(views) + (await harness.filesText())
    for (const secret of [sandbox.password, passwordDigest(sandbox.password), sandbox.apiToken, 'eyJ']) {
      expect(seen).not.toContain(secret)
    }
    expect(seen).toContain(sandbox.baseUrl)
  })

  it('finds the usual path if the user typed none', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { host } = new URL(sandbox.baseUrl)
    for (const url of [`http://${host}`, `http://${host}/`, ` ${host} `, `${sandbox.baseUrl}/`]) {
      expect(await connect(harness, sandbox, { url })).toMatchObject({ baseUrl: sandbox.baseUrl })
    }
    expect(harness.accounts.view().accounts).toHaveLength(1)
  })

  it('signs in with an API token', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const account = await connectWithToken(harness, sandbox)
    expect(account).toMatchObject({
      credential: 'api-token',
      username: null,
      state: 'signed-in',
      staysSignedIn: true,
    })
    expect([...harness.secrets.entries]).toEqual([[`${account.id}/api-token`, sandbox.apiToken]])
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([{ state: 'signed-in' }])
    expect((await accounts.service(account.id).apiTokens.list({})).items[0]?.id).toBeTypeOf('string')
  })

  it.each([
    ['a wrong password', { kind: 'password', username: 'sandbox', password: 'wrong' }],
    ['an unknown user', { kind: 'password', username: 'nobody', password: 'wrong' }],
    ['a wrong API token', { kind: 'api-token', token: 'wrong' }],
  ] as const)('stores nothing after %s, and shows the service’s message', async (_, credential) => {
    const { baseUrl } = await runSandbox()
    const harness = await setUp()
    const attempt = harness.accounts.handlers['accounts.connect']({ baseUrl, credential, staySignedIn: true })
    await expect(attempt).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'refused', message: expect.stringMatching(/\w/) },
    })
    expect(harness.accounts.view()).toEqual({ accounts: [], selected: null })
    expect([...harness.secrets.entries]).toEqual([])
  })

  it('reports that the service is unreachable', async () => {
    const sandbox = await runSandbox()
    await sandbox.close()
    const harness = await setUp()
    await expect(connect(harness, sandbox)).rejects.toMatchObject({
      failure: { kind: 'cannot-connect', host: new URL(sandbox.baseUrl).host, reason: 'ECONNREFUSED' },
    })
    expect(harness.accounts.view().accounts).toEqual([])
  })

  it('reports that something else answers', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    await control(sandbox, 'POST', '/faults', { kind: 'not-json' })
    await expect(connect(harness, sandbox)).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'baseUrl', reason: 'web-page' },
    })
  })

  it('refuses unencrypted addresses, and all but loopback addresses if only those are allowed', async () => {
    const harness = await setUp()
    const attempt = (baseUrl: string) =>
      harness.accounts.handlers['accounts.connect']({
        baseUrl,
        credential: { kind: 'api-token', token: 'x' },
        staySignedIn: false,
      })
    const invalid = (reason: string) => ({ failure: { kind: 'invalid-input', field: 'baseUrl', reason } })
    await expect(attempt('http://api.example.com')).rejects.toMatchObject(invalid('insecure-url'))
    await expect(attempt('https://api.example.com')).rejects.toMatchObject(invalid('loopback-only'))
  })

  it('updates the known account instead of adding a second one', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const first = await connect(harness, sandbox)
    await harness.accounts.handlers['accounts.rename']({ account: first.id, label: 'Work' })
    const again = await connect(harness, sandbox, { staySignedIn: false })
    expect(again).toMatchObject({ id: first.id, label: 'Work', staysSignedIn: false })
    expect([...harness.secrets.entries]).toEqual([])
    const [token, tokenAgain] = await Promise.all([
      connectWithToken(harness, sandbox),
      connectWithToken(harness, sandbox),
    ])
    expect(tokenAgain.id).toBe(token.id)
    expect(harness.accounts.view().accounts.map(({ id }) => id)).toEqual([first.id, token.id])
  })

  it('keeps several accounts signed in, each with its own service', async () => {
    const [one, two] = [await runSandbox(), await runSandbox()]
    const harness = await setUp()
    const first = await connect(harness, one)
    const second = await connectWithToken(harness, two)
    const listOf = (id: string) => harness.accounts.service(id).machines.list({ limit: 1 })
    await Promise.all([listOf(first.id), listOf(second.id)])
    expect((await requestsTo(one)).at(-1)).toBe('GET /virtual-machines 200')
    expect((await requestsTo(two)).at(-1)).toBe('GET /virtual-machines 200')
    expect(harness.accounts.view().selected).toBe(second.id)
    await harness.accounts.handlers['accounts.select']({ account: first.id })
    expect(harness.accounts.view().selected).toBe(first.id)
    expect(harness.accounts.view().accounts.map(({ state }) => state)).toEqual(['signed-in', 'signed-in'])
  })
})

describe('the next start', () => {
  it('signs in automatically only to accounts that stay signed in', async () => {
    const [one, two] = [await runSandbox(), await runSandbox()]
    const harness = await setUp()
    const staying = await connect(harness, one)
    const leaving = await connect(harness, two, { staySignedIn: false })
    const accounts = await harness.restart()
    expect(accounts.view().accounts.map(({ state }) => state)).toEqual(['signed-out', 'signed-out'])
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { id: staying.id, state: 'signed-in', staysSignedIn: true },
      { id: leaving.id, state: 'signed-out', staysSignedIn: false, failure: null },
    ])
    await expect(accounts.service(leaving.id).machines.list({})).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'signed-out' },
    })
    expect((await accounts.service(staying.id).machines.list({})).total).toBe(12)
  })

  it('is not delayed by an unreachable service, which is retried on demand', async () => {
    const [here, away] = [await runSandbox(), await runSandbox()]
    const harness = await setUp()
    await connect(harness, here)
    const second = await connect(harness, away)
    await away.close()
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { state: 'signed-in', failure: null },
      { state: 'signed-out', staysSignedIn: true, failure: { kind: 'cannot-connect' } },
    ])
    const list = () => accounts.service(second.id).machines.list({})
    await expect(list()).rejects.toMatchObject({ failure: { kind: 'cannot-connect' } })
    await expect(list()).rejects.toMatchObject({ failure: { kind: 'cannot-connect' } })
  })

  it('does not send a stored secret to an address that is no longer allowed', async () => {
    const harness = await setUp({ loopbackOnly: true })
    const sandbox = await runSandbox()
    const account = await connect(harness, sandbox)
    const text = (await harness.filesText()).replace(sandbox.baseUrl, 'http://cloud.example/api/v1')
    await harness.writeSettings(text)
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([
      { id: account.id, state: 'signed-out', failure: { kind: 'invalid-input', reason: 'insecure-url' } },
    ])
  })
})

describe('signing a known account in again', () => {
  it('accepts a new credential, also of another kind', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    await harness.accounts.handlers['accounts.signOut']({ account: id })
    const states: string[] = []
    harness.accounts.onChange(({ accounts }) => states.push(accounts[0]?.state ?? 'none'))
    const signIn = harness.accounts.handlers['accounts.signIn']
    const token = { kind: 'api-token', token: sandbox.apiToken } as const
    expect(await signIn({ account: id, credential: token, staySignedIn: true })).toMatchObject({
      id,
      credential: 'api-token',
      state: 'signed-in',
      staysSignedIn: true,
    })
    expect(states.slice(0, 2)).toEqual(['signing-in', 'signed-in'])
    expect([...harness.secrets.entries.keys()]).toEqual([`${id}/api-token`])
    const password = { kind: 'password', username: sandbox.username, password: sandbox.password } as const
    await signIn({ account: id, credential: password, staySignedIn: true })
    expect([...harness.secrets.entries.keys()]).toEqual([`${id}/username`, `${id}/password-digest`])
  })

  it('reports a failure and changes nothing', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connect(harness, sandbox)
    const wrong = { kind: 'password', username: sandbox.username, password: 'wrong' } as const
    const attempt = () =>
      harness.accounts.handlers['accounts.signIn']({ account: id, credential: wrong, staySignedIn: true })
    await expect(attempt()).rejects.toMatchObject({ failure: { kind: 'not-signed-in', reason: 'refused' } })
    expect(harness.accounts.view().accounts).toMatchObject([{ state: 'signed-in', failure: null }])
    await harness.accounts.handlers['accounts.signOut']({ account: id })
    await expect(attempt()).rejects.toMatchObject({ failure: { kind: 'not-signed-in', reason: 'refused' } })
    expect(harness.accounts.view().accounts).toMatchObject([
      { state: 'signed-out', failure: { kind: 'not-signed-in', reason: 'refused' } },
    ])
  })
})
