import type { Credential, SignInConfirmation } from '#shared/bridge/account'
import type { Failure } from '#shared/failure'

/** What is being typed to sign in. Switching the method keeps what was typed for the other. */
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

/** The fields that the method needs and that are still empty. */
export function missingFields(draft: CredentialDraft): readonly CredentialField[] {
  const needed: readonly CredentialField[] =
    draft.method === 'password' ? ['username', 'password'] : ['token']
  return needed.filter((field) => (field === 'password' ? draft[field] : draft[field].trim()) === '')
}

/** A pasted name or token often brings spaces along; a password may mean them. */
export const credentialOf = (draft: CredentialDraft): Credential =>
  draft.method === 'password'
    ? { kind: 'password', username: draft.username.trim(), password: draft.password }
    : { kind: 'api-token', token: draft.token.trim() }

/** The field that a failure names, where it names one: it is then shown beside that field. */
export function fieldOf(failure: Failure | null): string | null {
  if (failure?.kind === 'invalid-input') return failure.field
  if (failure?.kind === 'refused-by-service') return failure.field ?? null
  return null
}

/** What the user may confirm to send a sign-in that failed with a question; null: nothing. */
export function confirmationOf(failure: Failure | null): SignInConfirmation | null {
  if (failure?.kind !== 'invalid-input') return null
  if (failure.reason === 'not-identified' || failure.reason === 'web-page') return 'address'
  return failure.reason === 'another-account' ? 'account' : null
}

/** What answers at the address is no service of ours, or something before it. One that is down may well be one. */
export const isIncompatible = (failure: Failure | null): boolean =>
  failure?.kind === 'unexpected-answer' && !((failure.status ?? 0) >= 500)
