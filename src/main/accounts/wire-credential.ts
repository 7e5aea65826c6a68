import { createHash } from 'node:crypto'
import type { Credential } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import type { WireCredential } from '../service/login'

/** Returns the MD5 hex digest that the service uses for a password (api-spec.md §4). It is as secret as the password. */
export const passwordDigest = (password: string): string =>
  createHash('md5').update(password, 'utf8').digest('hex')

/**
 * Converts a typed credential for the wire. White space around an API token is removed. A token that is not allowed in an
 * HTTP header fails with invalid-input (token).
 */
export const wireCredentialOf = (credential: Credential): WireCredential => {
  if (credential.kind === 'password') {
    return {
      kind: 'password',
      username: credential.username,
      digest: passwordDigest(credential.password),
    }
  }
  const token = credential.token.trim().replace(/^Bearer\s+/i, '')
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new FailureError({ kind: 'invalid-input', field: 'token', reason: 'not-an-api-token' })
  }
  return { kind: 'api-token', token }
}
