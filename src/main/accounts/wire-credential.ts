import { createHash } from 'node:crypto'
import type { Credential } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import type { WireCredential } from '../service/login'

/** The MD5 hex digest that the service takes for a password (api-spec.md §4): as secret as the password itself. */
export const passwordDigest = (password: string): string =>
  createHash('md5').update(password, 'utf8').digest('hex')

/**
 * What was typed as what goes over the wire; from here on the password is no longer held. An API token is taken without
 * the white space around it; one that no HTTP header could carry fails with invalid-input (token).
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
