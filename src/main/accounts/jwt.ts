import { decodeJwt } from 'jose'

/**
 * When a JWT says that it expires, in epoch seconds; undefined where it does not say or is no JWT. The signature is
 * the service's business: the value only shows when to expect a refusal.
 */
export const expiryOf = (token: string): number | undefined => {
  try {
    const { exp } = decodeJwt(token)
    return typeof exp === 'number' ? exp : undefined
  } catch {
    return undefined
  }
}
