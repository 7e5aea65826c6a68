import { z } from 'zod'
import { Failure } from '../failure'
import { call } from './define'

/** Names an account on this computer; the service does not know it. */
export const AccountId = z.string().regex(/^[a-z0-9]{12}$/)
export type AccountId = z.infer<typeof AccountId>

/** How an account proves itself. Typed in the window, kept by the main process, never sent back. */
export const Credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), username: z.string().min(1), password: z.string().min(1) }),
  z.object({ kind: z.literal('api-token'), token: z.string().min(1) }),
])
export type Credential = z.infer<typeof Credential>

/** An account as the window sees it. */
export const AccountView = z.object({
  id: AccountId,
  /** What the person calls it; the host (and user name) until they choose. */
  label: z.string(),
  /** With path, without trailing slash. */
  baseUrl: z.string(),
  credential: z.enum(['password', 'api-token']),
  username: z.string().nullable(),
  /** The sandbox of this application: its money is never mixed with real money. */
  sandbox: z.boolean(),
  state: z.enum(['signed-in', 'signing-in', 'signed-out']),
  /** Whether the next start signs in automatically. */
  staysSignedIn: z.boolean(),
  /** Why it is not signed in, where there is a known reason; signed in: why it will not stay so, where the person wished it. */
  failure: Failure.nullable(),
  /** Epoch seconds: the service asked for a pause, and nothing is sent to it before then. Null: nothing is held. */
  heldUntil: z.number().nullable(),
})
export type AccountView = z.infer<typeof AccountView>

/** All accounts, and the one that the person looks at. */
export const AccountsView = z.object({ accounts: z.array(AccountView), selected: AccountId.nullable() })
export type AccountsView = z.infer<typeof AccountsView>

/** Confirmations of the user: of an address that did not identify itself, and of credentials that may be another account's. */
export const SignInConfirmation = z.enum(['address', 'account'])
export type SignInConfirmation = z.infer<typeof SignInConfirmation>
const confirmed = z.array(SignInConfirmation).optional()

const OneAccount = z.object({ account: AccountId })

export const accountCalls = {
  'accounts.list': call(z.object({}), AccountsView),
  /**
   * Signs in and keeps the account; nothing is kept when it fails. A credential of a known account signs that one in.
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
  /** Starts the sandbox on loopback (or finds it running) and signs in to it. */
  'accounts.lookAround': call(z.object({}), AccountView),
  /**
   * Signs a known account in again, with a new password or token; a credential of another known account signs that one
   * in. Fails as accounts.connect, and with invalid-input (credential: another-account), which can be confirmed.
   */
  'accounts.signIn': call(
    z.object({ account: AccountId, credential: Credential, staySignedIn: z.boolean(), confirmed }),
    AccountView,
  ),
  'accounts.signOut': call(OneAccount, AccountView),
  /** Removes everything kept about the account: profile, secrets, host keys, per-machine settings. */
  'accounts.forget': call(OneAccount, z.void()),
  'accounts.rename': call(z.object({ account: AccountId, label: z.string().min(1).max(60) }), AccountView),
  'accounts.select': call(OneAccount, z.void()),
  /** Ends the pause that the service asked for: what is read again and again is read at once. */
  'accounts.tryNow': call(OneAccount, z.void()),
} as const

export const accountEvents = {
  'accounts.changed': AccountsView,
} as const
