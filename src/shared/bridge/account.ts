import { z } from 'zod'
import { Failure } from '../failure'
import { call, variant } from './define'

export const AccountId = z.string().regex(/^[a-z0-9]{12}$/)
export type AccountId = z.infer<typeof AccountId>

export const OneAccount = z.object({ account: AccountId })
export const OneMachine = OneAccount.extend({ machine: z.string().min(1) })

/** Credentials of an account. The main process keeps them and never sends them back to the window. */
export const Credential = z.discriminatedUnion('kind', [
  variant('password', { username: z.string().min(1), password: z.string().min(1) }),
  variant('api-token', { token: z.string().min(1) }),
])
export type Credential = z.infer<typeof Credential>

export const AccountView = z.object({
  id: AccountId,
  /** Name chosen by the user; host and user name by default. */
  label: z.string(),
  /** With path, without trailing slash. */
  baseUrl: z.string(),
  credential: z.enum(['password', 'api-token']),
  username: z.string().nullable(),
  sandbox: z.boolean(),
  state: z.enum(['signed-in', 'signing-in', 'signed-out']),
  staysSignedIn: z.boolean(),
  /** Why the account is not signed in, if known. For a signed-in account: why it cannot stay signed in as requested. */
  failure: Failure.nullable(),
  /** End of a pause that the service requested, in epoch seconds; null without one. */
  heldUntil: z.number().nullable(),
})
export type AccountView = z.infer<typeof AccountView>

export const AccountsView = z.object({ accounts: z.array(AccountView), selected: AccountId.nullable() })
export type AccountsView = z.infer<typeof AccountsView>

/** Confirms an address that did not identify itself, or credentials that may be of another account. */
export const SignInConfirmation = z.enum(['address', 'account'])
export type SignInConfirmation = z.infer<typeof SignInConfirmation>
const confirmed = z.array(SignInConfirmation).optional()

export const accountCalls = {
  'accounts.list': call(z.object({}), AccountsView),
  /**
   * Signs in and stores the account; stores nothing on failure. Credentials of a known account sign that account in.
   * Fails with every kind of the service client and invalid-input (baseUrl; not-identified and web-page can be
   * confirmed).
   */
  'accounts.connect': call(
    z.object({
      baseUrl: z.string(),
      credential: Credential,
      staySignedIn: z.boolean(),
      label: z.string().optional(),
      confirmed,
    }),
    AccountView,
  ),
  'accounts.lookAround': call(z.object({}), AccountView),
  /**
   * Signs a known account in with a new password or token. Credentials of another known account sign that one in.
   * Fails as accounts.connect, and with invalid-input (credential: another-account), which can be confirmed.
   */
  'accounts.signIn': call(
    z.object({ account: AccountId, credential: Credential, staySignedIn: z.boolean(), confirmed }),
    AccountView,
  ),
  'accounts.signOut': call(OneAccount, AccountView),
  /** Removes all data of the account: profile, secrets, host keys, settings per machine. */
  'accounts.forget': call(OneAccount, z.void()),
  'accounts.rename': call(z.object({ account: AccountId, label: z.string().min(1).max(60) }), AccountView),
  'accounts.select': call(OneAccount, z.void()),
  /** Ends the pause that the service requested and reads all lists at once. */
  'accounts.tryNow': call(OneAccount, z.void()),
} as const

export const accountEvents = {
  'accounts.changed': AccountsView,
} as const
