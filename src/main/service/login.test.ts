import { createHash, createHmac } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { control } from '../../../test/fixtures/account-harness'
import { startScriptedServer } from '../../../test/fixtures/scripted-server'
import { transport, clientWith, refusal, useSandboxClient } from '../../../test/fixtures/service-client'
import { LoginResult } from '#shared/service/login'
import { limits } from '#shared/service/limits'
import { apiTokenHeaders, sessionHeaders, signIn } from './login'

const client = useSandboxClient(1)
const trusted = () => true

const login = async () => {
  const { baseUrl, username, password } = client.sandbox
  const digest = createHash('md5').update(password).digest('hex')
  const { tokens } = await signIn(transport, [baseUrl], { kind: 'password', username, digest }, trusted)
  if (tokens === undefined) throw new Error('a password gives tokens')
  return tokens
}

const claims = (token: string) =>
  z
    .object({ iat: z.number(), exp: z.number() })
    .parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))

const regionsWith = (headers: Readonly<Record<string, string>>) =>
  clientWith(client.sandbox.baseUrl, headers).service.regions.list()

const notSignedIn = {
  failure: { kind: 'not-signed-in', reason: 'refused', message: expect.stringMatching(/\w/) },
}

describe('signing in to the service', () => {
  it('accepts the MD5 digest of the password and returns tokens for 30 minutes and 2 hours', async () => {
    const { username, access, refresh } = await login()
    expect(username).toBe(client.sandbox.username)
    expect(claims(access).exp - claims(access).iat).toBe(limits.accessToken)
    expect(claims(refresh).exp - claims(refresh).iat).toBe(limits.refreshToken)
    expect((await regionsWith(sessionHeaders({ access, refresh }))).length).toBeGreaterThan(2)
  })

  it('refuses a wrong digest, a wrong user, and a password in place of its digest', async () => {
    const { baseUrl, username, password } = client.sandbox
    const attempt = (name: string, digest: string) =>
      signIn(transport, [baseUrl], { kind: 'password', username: name, digest }, trusted)
    const wrong = createHash('md5').update('wrong').digest('hex')
    await expect(attempt(username, wrong)).rejects.toMatchObject(notSignedIn)
    await expect(attempt('nobody', wrong)).rejects.toMatchObject(notSignedIn)
    await expect(attempt(username, password)).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', message: expect.stringContaining('password') },
    })
  })

  it.each([400, 401, 500])('masks the digest if a refusal with %i quotes it', async (status) => {
    const server = await startScriptedServer(({ body }) => ({
      status,
      body: { message: `cannot take ${body}` },
    }))
    const digest = createHash('md5').update('a password').digest('hex')
    const attempt = signIn(
      transport,
      [server.baseUrl],
      { kind: 'password', username: 'anna', digest },
      trusted,
    )
    const message = 'cannot take {"username":"anna","password":"•••"}'
    await expect(attempt).rejects.toMatchObject({ failure: { message } })
    await server.close()
  })

  it.each(['username', 'password'])('requires the %s', async (field) => {
    const body = { username: 'a', password: '0'.repeat(32), [field]: undefined }
    const attempt = client.http.send('POST', '/authenticate/login', body, LoginResult)
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })

  it('accepts an API token in place of both headers', async () => {
    const { apiToken } = client.sandbox
    await expect(regionsWith(apiTokenHeaders(apiToken))).resolves.toBeInstanceOf(Array)
    await expect(regionsWith(apiTokenHeaders(`${apiToken}x`))).rejects.toMatchObject(notSignedIn)
    await expect(regionsWith({})).rejects.toMatchObject(notSignedIn)
  })

  it('requires both session tokens of the same session', async () => {
    const [{ access, refresh }, other] = [await login(), await login()]
    await expect(regionsWith(sessionHeaders({ access, refresh: undefined }))).rejects.toMatchObject(
      notSignedIn,
    )
    await expect(regionsWith(sessionHeaders({ access, refresh: other.refresh }))).rejects.toMatchObject(
      notSignedIn,
    )
    await expect(regionsWith(sessionHeaders({ access: refresh, refresh: access }))).rejects.toMatchObject(
      notSignedIn,
    )
  })

  it('rejects tokens that it did not sign', async () => {
    const { access, refresh } = await login()
    const [header = '', payload = ''] = access.split('.')
    const foreign = createHmac('sha256', 'another key').update(`${header}.${payload}`).digest('base64url')
    const unsigned = new UnsecuredJWT(claims(access)).setSubject(client.sandbox.username).encode()
    const noAlgorithm = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const forged of [
      `${header}.${payload}.${foreign}`,
      unsigned,
      `${noAlgorithm}.${payload}.`,
      'a.b.c',
    ]) {
      await expect(regionsWith(sessionHeaders({ access: forged, refresh }))).rejects.toMatchObject(
        notSignedIn,
      )
    }
  })

  it('rejects expired tokens', async () => {
    const { access, refresh } = await login()
    const headers = sessionHeaders({ access, refresh })
    await control(client.sandbox, 'POST', '/clock', { advance: limits.accessToken - 5 })
    await expect(regionsWith(headers)).resolves.toBeInstanceOf(Array)
    await control(client.sandbox, 'POST', '/clock', { advance: 10 })
    await expect(regionsWith(headers)).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', message: expect.stringContaining('expired') },
    })
  })
})

describe('requests that the service rejects', () => {
  it('include unknown paths', async () => {
    await expect(client.http.get('/nothing/here', z.unknown())).rejects.toMatchObject(refusal(404))
  })

  it('include unsupported methods of a path', async () => {
    await expect(client.http.send('DELETE', '/images', undefined, z.unknown())).rejects.toMatchObject(
      refusal(405),
    )
  })

  it('include bodies of more than 1 MB', async () => {
    const body = { username: 'a', password: 'x'.repeat(1_000_001) }
    await expect(client.http.send('POST', '/authenticate/login', body, z.unknown())).rejects.toMatchObject(
      refusal(413),
    )
  })

  it('include everything but the login without credentials', async () => {
    const { service } = clientWith(client.sandbox.baseUrl, {})
    const id = 'x'
    const outcomes = await Promise.allSettled([
      service.machines.list({}),
      service.machines.get(id),
      service.machines.metrics(id),
      service.firewallRules.list(id, {}),
      service.images.list(),
      service.flavors.list(),
      service.bareMetal.get(id),
      service.bareMetal.images(),
      service.bareMetal.flavors(),
      service.billing.statements({}),
      service.billing.usage({}),
      service.apiTokens.list({}),
      service.apiTokens.update(id, { name: 'n' }),
      service.volumes.attach(id, { volume_ids: [id] }),
      service.volumes.detach(id, id),
      service.regions.list(),
      service.volumeTypes.list(),
    ])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: notSignedIn })
  })

  it.each([null, [{ id: 'm1', name: null }], [{ name: 'without an id' }]])(
    'accepts an API token if the list of machines answers %j',
    async (data) => {
      const server = await startScriptedServer(() => ({ body: { status: true, message: 'ok', data } }))
      await expect(
        signIn(transport, [server.baseUrl], { kind: 'api-token', token: 'abc' }, trusted),
      ).resolves.toEqual({
        baseUrl: server.baseUrl,
        tokens: undefined,
      })
    },
  )
})
