import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { limits } from '#shared/service/limits'
import { ApiError } from '../api-error'
import type { Secrets } from '../secrets'
import type { Cloud } from '../cloud/cloud'

/** Only user account of the sandbox. */
export const account = { username: 'sandbox', email: 'sandbox@wheelhouse.example' } as const

const issuer = 'wheelhouse-sandbox'
const algorithm = 'HS256'
type TokenUse = 'access' | 'refresh'

export type Credential = 'login' | 'api-token'

export interface Authentication {
  /** Issues both tokens for the user name and MD5 digest of the password. Throws ApiError. */
  login(username: string, digest: string): Promise<{ access_token: string; refresh_token: string }>
  /** Verifies the two headers (api-spec.md §5). Throws ApiError. */
  verify(authorization: string | undefined, refreshToken: string | undefined): Promise<Credential>
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares in constant time. */
export const secretsEqual = (left: string, right: string): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

const unauthorized = (message: string): ApiError => new ApiError('unauthorized', message)

export function createAuthentication(cloud: Cloud, secrets: Secrets): Authentication {
  const apiTokens = new Map<string, string>()
  const indexed = new Set<string>()
  /** Returns the id of the API token with this value. First indexes the tokens that were added since the last call. */
  const apiTokenOf = (value: string): string | undefined => {
    for (const id of cloud.apiTokens.keys()) {
      if (indexed.has(id)) continue
      indexed.add(id)
      apiTokens.set(secrets.apiToken(id), id)
    }
    return apiTokens.get(value)
  }

  const sign = (use: TokenUse, session: string, seconds: number): Promise<string> =>
    new SignJWT({ use, session, generation: cloud.sessionGeneration() })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(account.username)
      .setIssuer(issuer)
      .setIssuedAt(cloud.now())
      .setExpirationTime(cloud.now() + seconds)
      .sign(secrets.jwtKey)

  const verifyToken = async (token: string, use: TokenUse): Promise<unknown> => {
    const { payload } = await jwtVerify(token, secrets.jwtKey, {
      algorithms: [algorithm],
      issuer,
      subject: account.username,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(cloud.now() * 1000),
    }).catch((error: unknown) => {
      throw unauthorized(
        error instanceof errors.JWTExpired ? `the ${use} token has expired` : `the ${use} token is not valid`,
      )
    })
    if (payload.use !== use) throw unauthorized(`the ${use} token is not valid`)
    if (payload.generation !== cloud.sessionGeneration())
      throw unauthorized(`the ${use} token has been revoked`)
    return payload.session
  }

  const acceptApiToken = (id: string): Credential => {
    const token = cloud.apiTokens.get(id)
    if (token === undefined || token.revoked) throw unauthorized('the API token has been revoked')
    const now = cloud.now()
    // Writes the data file at most once a minute.
    const isStale = now - token.lastUsed >= 60
    token.lastUsed = now
    if (isStale) cloud.changed()
    return 'api-token'
  }

  return {
    login: async (username, digest) => {
      const matches = [username === account.username, secretsEqual(digest, secrets.passwordDigest)]
      if (matches.includes(false)) throw unauthorized('username or password is wrong')
      const session = randomUUID()
      return {
        access_token: await sign('access', session, limits.accessToken),
        refresh_token: await sign('refresh', session, limits.refreshToken),
      }
    },
    verify: async (authorization, refreshToken) => {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) throw unauthorized('the Authorization header must be "Bearer <token>"')
      const apiToken = apiTokenOf(token)
      if (apiToken !== undefined) return acceptApiToken(apiToken)
      const session = await verifyToken(token, 'access')
      if (refreshToken === undefined) throw unauthorized('the refresh-token header is missing')
      if ((await verifyToken(refreshToken, 'refresh')) !== session) {
        throw unauthorized('the refresh token belongs to another session')
      }
      return 'login'
    },
  }
}
