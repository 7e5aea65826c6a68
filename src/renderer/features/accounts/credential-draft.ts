import type { Credential, SignInConfirmation } from '#shared/bridge/account'
import type { Failure } from '#shared/failure'

/** Form of a sign-in. Switching the method keeps the input of both methods. */
export interface CredentialDraft {
  method: Credential['kind']
  username: string
  password: string
  token: string
  staySignedIn: boolean
}
export type CredentialField = 'username' | 'password' | 'token'

export const emptyDraft = (changes: Partial<CredentialDraft> = {}): CredentialDraft => ({
  method: 'password',
  username: '',
  password: '',
  token: '',
  staySignedIn: true,
  ...changes,
})

export function missingFields(draft: CredentialDraft): readonly CredentialField[] {
  const needed: readonly CredentialField[] =
    draft.method === 'password' ? ['username', 'password'] : ['token']
  return needed.filter((field) => (field === 'password' ? draft[field] : draft[field].trim()) === '')
}

/** Returns the credentials, without spaces around a pasted name or token. Spaces in a password count. */
export const credentialOf = (draft: CredentialDraft): Credential =>
  draft.method === 'password'
    ? { kind: 'password', username: draft.username.trim(), password: draft.password }
    : { kind: 'api-token', token: draft.token.trim() }

/** Returns the field that a failure names. */
export function fieldOf(failure: Failure | null): string | null {
  if (failure?.kind === 'invalid-input') return failure.field
  if (failure?.kind === 'refused-by-service') return failure.field ?? null
  return null
}

/** Returns the confirmation that lets a failed sign-in be sent again; null if there is none. */
export function confirmationOf(failure: Failure | null): SignInConfirmation | null {
  if (failure?.kind !== 'invalid-input') return null
  if (failure.reason === 'not-identified' || failure.reason === 'web-page') return 'address'
  return failure.reason === 'another-account' ? 'account' : null
}

/** Returns whether something else than the service answers at the address. A 5xx status may still be the service. */
export const isIncompatible = (failure: Failure | null): boolean =>
  failure?.kind === 'unexpected-answer' && !((failure.status ?? 0) >= 500)
