import { createSecretKey } from 'node:crypto'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { digest, startTestSandbox, type TestSandbox } from '../sandbox.fixture'

describe('the credentials of the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const machines = (headers: Record<string, string>) =>
    sandbox.ask('GET', '/virtual-machines', undefined, headers)
  const accessTokenOf = (headers: Record<string, string>): string =>
    (headers.authorization ?? '').replace('Bearer ', '')
  const ApiTokens = z.array(z.object({ id: z.string(), token: z.string(), last_used: z.number() }))

  it('signs in with the MD5 digest of the password', async () => {
    const answer = await sandbox.ask(
      'POST',
      '/authenticate/login',
      { username: sandbox.username, password: digest(sandbox.password) },
      {},
    )
    expect(answer).toMatchObject({ code: 200, status: true, data: { username: sandbox.username } })
    expect(Object.keys(z.record(z.string(), z.string()).parse(answer.data)).sort()).toEqual([
      'access_token',
      'email',
      'refresh_token',
      'username',
    ])
  })

  it.each([
    ['a wrong password', { password: digest('wrong') }, 401],
    ['a wrong user name', { username: 'somebody' }, 401],
    ['a password that is not digested', { password: 'plain' }, 400],
    ['no password', { password: undefined }, 400],
  ])('refuses to sign in with %s', async (_, change, code) => {
    const body = { username: sandbox.username, password: digest(sandbox.password), ...change }
    expect(await sandbox.ask('POST', '/authenticate/login', body, {})).toMatchObject({ code, status: false })
  })

  it('include an access token for 30 minutes and a refresh token for 2 hours', async () => {
    const headers = await sandbox.signIn()
    const lifetime = (token: string) => {
      const { exp = 0, iat = 0 } = decodeJwt(token)
      return exp - iat
    }
    expect(lifetime(accessTokenOf(headers))).toBe(30 * 60)
    expect(lifetime(headers['refresh-token'] ?? '')).toBe(2 * 60 * 60)
  })

  it('must be both login tokens, or one API token', async () => {
    const headers = await sandbox.signIn()
    const other = await sandbox.signIn()
    expect((await machines(headers)).code).toBe(200)
    expect((await machines({ authorization: headers.authorization ?? '' })).code).toBe(401)
    expect((await machines({ 'refresh-token': headers['refresh-token'] ?? '' })).code).toBe(401)
    expect((await machines({ ...headers, 'refresh-token': other['refresh-token'] ?? '' })).code).toBe(401)
    expect((await machines({ ...headers, authorization: `Bearer ${headers['refresh-token']}` })).code).toBe(
      401,
    )
    expect((await machines({ authorization: `Bearer ${sandbox.apiToken}` })).code).toBe(200)
    expect((await machines({ authorization: 'Bearer sbx_unknown' })).code).toBe(401)
    expect((await machines({})).code).toBe(401)
  })

  it('are refused if a token is unsigned or signed by somebody else', async () => {
    const headers = await sandbox.signIn()
    const claims = decodeJwt(accessTokenOf(headers))
    const unsigned = new UnsecuredJWT(claims).encode()
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(createSecretKey(Buffer.alloc(32, 1)))
    for (const token of [unsigned, foreign]) {
      const answer = await machines({ ...headers, authorization: `Bearer ${token}` })
      expect(answer).toMatchObject({ code: 401, message: 'the access token is not valid' })
    }
  })

  it('expire by the sandbox’s own clock', async () => {
    const headers = await sandbox.signIn()
    await sandbox.control('POST', '/clock', { advance: 30 * 60 - 5 })
    expect((await machines(headers)).code).toBe(200)
    await sandbox.control('POST', '/clock', { advance: 6 })
    expect(await machines(headers)).toMatchObject({ code: 401, message: 'the access token has expired' })
  })

  it('are refused after login tokens were revoked, and new tokens are accepted', async () => {
    const headers = await sandbox.signIn()
    await sandbox.control('DELETE', '/sessions')
    expect((await machines(headers)).code).toBe(401)
    expect((await machines(await sandbox.signIn())).code).toBe(200)
  })

  it('record when an API token was used, and are refused once it is revoked', async () => {
    const [, used, unused] = await sandbox.read(ApiTokens, '/api-tokens')
    expect(unused?.last_used).toBe(0)
    const headers = { authorization: `Bearer ${unused?.token}` }
    expect((await machines(headers)).code).toBe(200)
    const [, , after] = await sandbox.read(ApiTokens, '/api-tokens')
    expect(after?.last_used).toBeGreaterThan(used?.last_used ?? Number.POSITIVE_INFINITY)
    await sandbox.control('DELETE', `/api-tokens/${unused?.id}`)
    expect(await machines(headers)).toMatchObject({ code: 401, message: 'the API token has been revoked' })
  })
})
