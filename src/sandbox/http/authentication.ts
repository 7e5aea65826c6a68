import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { limits } from '#shared/service/limits'
import { Refusal } from '../api-error'
import type { Secrets } from '../secrets'
import type { World } from '../cloud/cloud'

/** The one person who has an account in the sandbox. */
export const person = { username: 'sandbox', email: 'sandbox@wheelhouse.example' } as const

const issuer = 'wheelhouse-sandbox'
const algorithm = 'HS256'
type TokenUse = 'access' | 'refresh'

/** How the sender of a request proved itself. */
export type Credential = 'login' | 'api-token'

export interface Authentication {
  /** Both tokens for the right user name and MD5 digest. Throws Refusal. */
  login(username: string, digest: string): Promise<{ access_token: string; refresh_token: string }>
  /** Throws Refusal unless the two headers prove the sender (api-spec.md §5). */
  check(authorization: string | undefined, refreshToken: string | undefined): Promise<Credential>
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether two secrets are the same, in a time that tells nothing about them. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

const unauthorized = (message: string): Refusal => new Refusal('unauthorized', message)

export function createAuthentication(world: World, secrets: Secrets): Authentication {
  const apiTokens = new Map<string, string>()
  const known = new Set<string>()
  /** The id of the API token with this value. What the world has got since the last look is learned first. */
  const apiTokenOf = (value: string): string | undefined => {
    for (const id of world.apiTokens.keys()) {
      if (known.has(id)) continue
      known.add(id)
      apiTokens.set(secrets.apiToken(id), id)
    }
    return apiTokens.get(value)
  }

  const sign = (use: TokenUse, session: string, seconds: number): Promise<string> =>
    new SignJWT({ use, session, generation: world.sessionGeneration() })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(person.username)
      .setIssuer(issuer)
      .setIssuedAt(world.now())
      .setExpirationTime(world.now() + seconds)
      .sign(secrets.jwtKey)

  /** The session that a token belongs to. */
  const verify = async (token: string, use: TokenUse): Promise<unknown> => {
    const { payload } = await jwtVerify(token, secrets.jwtKey, {
      algorithms: [algorithm],
      issuer,
      subject: person.username,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(world.now() * 1000),
    }).catch((error: unknown) => {
      throw unauthorized(
        error instanceof errors.JWTExpired ? `the ${use} token has expired` : `the ${use} token is not valid`,
      )
    })
    if (payload.use !== use) throw unauthorized(`the ${use} token is not valid`)
    if (payload.generation !== world.sessionGeneration())
      throw unauthorized(`the ${use} token has been revoked`)
    return payload.session
  }

  const useApiToken = (id: string): Credential => {
    const token = world.apiTokens.get(id)
    if (token === undefined || token.revoked) throw unauthorized('the API token has been revoked')
    const now = world.now()
    const worthWriting = now - token.lastUsed >= 60
    token.lastUsed = now
    if (worthWriting) world.changed()
    return 'api-token'
  }

  return {
    login: async (username, digest) => {
      const known = [username === person.username, sameSecret(digest, secrets.passwordDigest)]
      if (known.includes(false)) throw unauthorized('username or password is wrong')
      const session = randomUUID()
      return {
        access_token: await sign('access', session, limits.accessToken),
        refresh_token: await sign('refresh', session, limits.refreshToken),
      }
    },
    check: async (authorization, refreshToken) => {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) throw unauthorized('the Authorization header must be "Bearer <token>"')
      const apiToken = apiTokenOf(token)
      if (apiToken !== undefined) return useApiToken(apiToken)
      const session = await verify(token, 'access')
      if (refreshToken === undefined) throw unauthorized('the refresh-token header is missing')
      if ((await verify(refreshToken, 'refresh')) !== session) {
        throw unauthorized('the refresh token belongs to another session')
      }
      return 'login'
    },
  }
}
