import type { AccountView } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { singleFlight } from '../core/single-flight'
import type { Transport } from '../service/transport'
import type { Authorization, Authorizer, RateLimited } from '../service/http'
import type { createRequestHold } from './request-hold'
import {
  apiTokenHeaders,
  type WireCredential,
  sessionHeaders,
  signIn,
  type SessionTokens,
} from '../service/login'
import { expiryOf } from './jwt'

interface SessionState {
  readonly state: AccountView['state']
  readonly failure: Failure | null
}

export interface KeptCredential {
  readonly baseUrl: string
  readonly wireCredential: WireCredential
}

export interface SessionDeps {
  readonly transport: Transport
  readonly hold: Pick<ReturnType<typeof createRequestHold>, 'begin' | 'check' | 'nearlyEnded' | 'release'>
  /**
   * Reads the stored credential to sign in again; undefined if there is none. Fails with keychain-unavailable,
   * local-fault, invalid-input (a base URL that is not allowed).
   */
  kept(): Promise<KeptCredential | undefined>
  /** See AccountsDeps. */
  firstPaint(): Promise<void>
  /** Whether credentials may be sent to a base URL that has not identified itself. */
  isTrusted(baseUrl: string): boolean
  /** Called when the service accepted a sign-in at this base URL. Never fails. */
  accepted(baseUrl: string): void
  /** Whether the user wants to be signed in again automatically. */
  signsInAgain(): boolean
  changed(): void
}

interface SignInOptions {
  readonly isTrusted?: SessionDeps['isTrusted']
  check?(authorization: Authorization): Promise<void>
}

const noTokens = { access: '', refresh: undefined }
const authorizationOf = (
  { baseUrl, wireCredential }: KeptCredential,
  session: SessionTokens | undefined,
): Authorization => ({
  baseUrl,
  headers:
    wireCredential.kind === 'api-token'
      ? apiTokenHeaders(wireCredential.token)
      : sessionHeaders(session ?? noTokens),
})

interface Tokens extends SessionTokens {
  /** Epoch seconds; undefined if unknown: then only a refusal shows that the token expired. */
  readonly accessEnds: number | undefined
  readonly refreshEnds: number | undefined
}

const notSignedIn = (reason: 'expired' | 'refused' | 'signed-out', message?: string): FailureError =>
  new FailureError({ kind: 'not-signed-in', reason, ...(message === undefined ? {} : { message }) })

const requestTokens = async (
  transport: Transport,
  { baseUrl, wireCredential }: KeptCredential,
  isTrusted: SessionDeps['isTrusted'],
): Promise<SessionTokens | undefined> =>
  (await signIn(transport, [baseUrl], wireCredential, isTrusted)).tokens

/**
 * Holds the state, the credential and the tokens of a session, in memory only. `changed` is called after each change of
 * the state, `cleared` when the session ends or is replaced.
 */
function createSessionState(now: Clock['now'], changed: () => void, cleared: () => void) {
  let shown: SessionState = { state: 'signed-out', failure: null }
  /** Number of the session; late answers to earlier sessions are ignored. */
  let generation = 0
  let baseUrl: string | undefined
  /** An API token for the whole session; a password's digest only if it may renew the sign-in. */
  let wireCredential: WireCredential | undefined
  let tokens: Tokens | undefined

  // If this clock is ahead of the service's, every token would seem expired: such an expiry counts as unknown.
  const knownExpiry = (token: string): number | undefined => {
    const ends = expiryOf(token)
    return ends !== undefined && ends > now() ? ends : undefined
  }
  const isOver = (ends: number | undefined): boolean => ends !== undefined && now() >= ends

  const show = (state: SessionState['state'], failure: Failure | null = null): void => {
    shown = { state, failure }
    changed()
  }
  const clear = (): void => {
    generation += 1
    baseUrl = undefined
    wireCredential = undefined
    tokens = undefined
    cleared()
  }

  return {
    shown: (): SessionState => shown,
    show,
    generation: (): number => generation,
    credential: (): KeptCredential | undefined =>
      baseUrl === undefined || wireCredential === undefined ? undefined : { baseUrl, wireCredential },
    wireCredential: (): WireCredential | undefined => wireCredential,
    /** Starts a session after a successful sign-in. `keepCredential`: whether the sign-in may be repeated. */
    adopt(signedInWith: KeptCredential, session: SessionTokens | undefined, keepCredential: boolean): void {
      const isToken = signedInWith.wireCredential.kind === 'api-token'
      clear()
      baseUrl = signedInWith.baseUrl
      wireCredential = isToken || keepCredential ? signedInWith.wireCredential : undefined
      tokens = session && {
        ...session,
        accessEnds: knownExpiry(session.access),
        refreshEnds: knownExpiry(session.refresh),
      }
      show('signed-in')
    },
    end(failure: Failure | null): void {
      clear()
      show('signed-out', failure)
    },
    authorization(): Authorization | undefined {
      if (baseUrl === undefined) return undefined
      if (wireCredential?.kind === 'api-token')
        return { baseUrl, headers: apiTokenHeaders(wireCredential.token) }
      if (tokens === undefined) return undefined
      const refresh = isOver(tokens.refreshEnds) ? undefined : tokens.refresh
      return { baseUrl, headers: sessionHeaders({ access: tokens.access, refresh }) }
    },
    isAccessOver: (): boolean => isOver(tokens?.accessEnds),
    isRefreshOver: (): boolean => isOver(tokens?.refreshEnds),
  }
}

/** Manages one account's session. One sign-in renews it for any number of waiting requests. */
export const createSession = (deps: SessionDeps) => {
  const { transport, hold, kept, firstPaint, isTrusted, accepted, signsInAgain, changed } = deps
  let renew: () => Promise<void>
  const beginRenewals = (): void => void (renew = singleFlight(renewSession))
  const state = createSessionState(() => transport.now(), changed, beginRenewals)
  const { authorization, end, generation, show, shown } = state
  beginRenewals()
  /** Number of failed renewals with the last error, and that number when each request was authorized. */
  let failed = { count: 0, reason: notSignedIn('expired') }
  const failedBefore = new WeakMap<Authorization, number>()

  const limited = ({ retryAfter }: RateLimited): void => hold.begin(retryAfter ?? 0)

  async function renewSession(): Promise<void> {
    const startGeneration = generation()
    try {
      hold.check()
      const signedInWith = state.credential() ?? (await kept())
      if (signedInWith === undefined) throw notSignedIn('signed-out')
      await firstPaint()
      if (startGeneration !== generation()) throw notSignedIn('signed-out')
      const session = await requestTokens(transport, signedInWith, isTrusted)
      if (startGeneration !== generation()) throw notSignedIn('signed-out')
      accepted(signedInWith.baseUrl)
      state.adopt(signedInWith, session, true)
    } catch (error) {
      // The user signed in before the renewal ended.
      if (startGeneration !== generation() && authorization() !== undefined) return
      const failure = failureOf(error, 'accounts.signIn')
      // A request that was not sent because of a pause does not prolong the pause.
      if (failure.kind === 'rate-limited' && failure.until === undefined) limited(failure)
      // If the service is unreachable, a live session stays live: the next request tries again.
      if (
        startGeneration === generation() &&
        (failure.kind === 'not-signed-in' || shown().state !== 'signed-in')
      )
        end(failure)
      const reason = new FailureError(failure)
      failed = { count: failed.count + 1, reason }
      throw reason
    }
  }

  /** Whether an automatic sign-in may be tried: not after the user signed out or the service refused. */
  const mayRenew = (): boolean => shown().failure?.kind !== 'not-signed-in' && signsInAgain()

  const renewedAuthorization = async (): Promise<Authorization> => {
    await renew()
    const renewed = authorization()
    if (renewed === undefined) throw notSignedIn('signed-out')
    return renewed
  }

  const withoutSession = (): FailureError =>
    new FailureError(shown().failure ?? notSignedIn('signed-out').failure)

  const refuse = (failure: FailureError): FailureError => {
    end(failure.failure)
    return failure
  }

  const forRequest = async (): Promise<Authorization> => {
    const present = authorization()
    if (present !== undefined && !state.isAccessOver()) return present
    if (mayRenew()) return renewedAuthorization()
    if (present === undefined) throw withoutSession()
    // The service may still accept the pair of tokens while the refresh token is valid.
    if (state.isRefreshOver()) throw refuse(notSignedIn('expired'))
    return present
  }

  const authorizer: Authorizer = {
    limited,
    current: async (signal) => {
      await hold.nearlyEnded(signal)
      hold.check()
      const granted = await forRequest()
      failedBefore.set(granted, failed.count)
      return granted
    },
    renewed: async (refused, message) => {
      const present = authorization()
      if (present === undefined) throw withoutSession()
      if (present.headers.authorization !== refused.headers.authorization) return present
      // The renewal for this request has already failed.
      if ((failedBefore.get(refused) ?? failed.count) < failed.count) throw failed.reason
      if (state.wireCredential()?.kind === 'api-token' || mayRenew()) return renewedAuthorization()
      throw refuse(notSignedIn('expired', message))
    },
  }

  return {
    authorizer,
    shown,
    wireCredential: state.wireCredential,
    adopt: state.adopt,
    /**
     * Signs the user in. On failure the previous session stays. `check` verifies that the new session belongs to the
     * account. Fails with the kinds of the login, and as `check` does.
     */
    signIn: async (
      signedInWith: KeptCredential,
      keepCredential: boolean,
      { isTrusted: isAddressTrusted = isTrusted, check }: SignInOptions = {},
    ): Promise<void> => {
      const before = shown()
      const wasOut = shown().state === 'signed-out'
      if (wasOut) show('signing-in')
      hold.release()
      const startGeneration = generation()
      try {
        const session = await requestTokens(transport, signedInWith, isAddressTrusted)
        await check?.(authorizationOf(signedInWith, session))
        if (startGeneration !== generation()) throw new FailureError({ kind: 'cancelled' })
        state.adopt(signedInWith, session, keepCredential)
      } catch (error) {
        const failure = failureOf(error, 'accounts.signIn')
        if (failure.kind === 'rate-limited') limited(failure)
        // invalid-input is a question to the user, not the reason why the account is signed out.
        if (wasOut && startGeneration === generation())
          show('signed-out', failure.kind === 'invalid-input' ? before.failure : failure)
        throw new FailureError(failure)
      }
    },
    /** Signs in with the stored credential. Never fails: see `shown`. */
    resume: async (): Promise<void> => {
      if (shown().state === 'signed-in' || !mayRenew()) return
      show('signing-in')
      await renew().catch(() => undefined)
    },
    /** Ends the session and ignores running sign-ins. */
    signOut: (failure: Failure | null = null): void => end(failure),
  }
}
export type Session = ReturnType<typeof createSession>
