import { decodeJwt } from 'jose'

/** Returns the expiry of a JWT in epoch seconds; undefined if it has none. The signature is not checked. */
export const expiryOf = (token: string): number | undefined => {
  try {
    const { exp } = decodeJwt(token)
    return typeof exp === 'number' ? exp : undefined
  } catch {
    return undefined
  }
}
