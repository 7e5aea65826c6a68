import { z } from 'zod'

const Claims = z.looseObject({ exp: z.number() })

const decode = (payload: string): unknown => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * When a JWT says that it expires, in epoch seconds; undefined where it does not say or is no JWT. The signature is
 * the service's business: the value only tells when to expect a refusal.
 */
export const expiryOf = (token: string): number | undefined => {
  const payload = token.split('.')[1]
  const claims = Claims.safeParse(payload === undefined ? undefined : decode(payload))
  return claims.success ? claims.data.exp : undefined
}
