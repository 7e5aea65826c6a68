import type { AccountView } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
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

export interface SessionState {
  readonly state: AccountView['state']
  readonly failure: Failure | null
}

/** Where an account lives, and what proves it. */
export interface KeptCredential {
  readonly baseUrl: string
  readonly wireCredential: WireCredential
}

export interface SessionDeps {
  readonly transport: Transport
  /** The pause that the service asked for. */
  readonly hold: Pick<ReturnType<typeof createRequestHold>, 'begin' | 'check' | 'nearlyEnded' | 'release'>
  /**
   * What the account signs in with again when `wireCredential` is not at hand, from wherever it is kept; undefined where it is
   * not. Fails with keychain-unavailable, local-fault, invalid-input (a base URL that is not admitted).
   */
  kept(): Promise<KeptCredential | undefined>
  /** See AccountsDeps. */
  firstPaint(): Promise<void>
  /** Whether credentials may be sent to a base URL without it identifying itself first. */
  isTrusted(baseUrl: string): boolean
  /** The service has accepted a sign-in at this base URL. Never fails. */
  accepted(baseUrl: string): void
  /** Whether the person wants to be signed in again without being asked. */
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
  /** Epoch seconds, undefined where unknown: then only a refusal shows that it is over. */
  readonly accessEnds: number | undefined
  readonly refreshEnds: number | undefined
}

const notSignedIn = (reason: 'expired' | 'refused' | 'signed-out', message?: string): FailureError =>
  new FailureError({ kind: 'not-signed-in', reason, ...(message === undefined ? {} : { message }) })

/**
 * One account's session: its tokens, in memory alone, and the sign-in that renews them, once for any number of
 * requests that wait for it.
 */
export const createSession = (deps: SessionDeps) => {
  const { transport, hold, kept, firstPaint, isTrusted, accepted, signsInAgain, changed } = deps
  let shown: SessionState = { state: 'signed-out', failure: null }
  let baseUrl: string | undefined
  /** An API token as long as the session lives; a password's digest only where it may renew the sign-in. */
  let wireCredential: WireCredential | undefined
  let tokens: Tokens | undefined
  let renew = singleFlight(renewSession)
  /** Failed renewals so far with the last error, and how many there were when each request was authorized. */
  let failed = { count: 0, reason: notSignedIn('expired') }
  const failedBefore = new WeakMap<Authorization, number>()
  /** Counts what ends a session, so that an answer that comes later is not taken for the new one's. */
  let generation = 0

  const show = (state: SessionState['state'], failure: Failure | null = null): void => {
    shown = { state, failure }
    changed()
  }

  const clear = (): void => {
    generation += 1
    baseUrl = undefined
    wireCredential = undefined
    tokens = undefined
    renew = singleFlight(renewSession)
  }

  // A clock that runs ahead of the service's would find every token expired at once: such an expiry is not known.
  const knownExpiry = (token: string): number | undefined => {
    const ends = expiryOf(token)
    return ends !== undefined && ends > transport.now() ? ends : undefined
  }

  const passed = (ends: number | undefined): boolean => ends !== undefined && transport.now() >= ends

  const adopt = (
    signedInWith: KeptCredential,
    session: SessionTokens | undefined,
    keepCredential: boolean,
  ): void => {
    clear()
    baseUrl = signedInWith.baseUrl
    wireCredential =
      signedInWith.wireCredential.kind === 'api-token' || keepCredential
        ? signedInWith.wireCredential
        : undefined
    tokens = session && {
      ...session,
      accessEnds: knownExpiry(session.access),
      refreshEnds: knownExpiry(session.refresh),
    }
    show('signed-in')
  }

  const authorization = (): Authorization | undefined => {
    if (baseUrl === undefined) return undefined
    if (wireCredential?.kind === 'api-token')
      return { baseUrl, headers: apiTokenHeaders(wireCredential.token) }
    if (tokens === undefined) return undefined
    const refresh = passed(tokens.refreshEnds) ? undefined : tokens.refresh
    return { baseUrl, headers: sessionHeaders({ access: tokens.access, refresh }) }
  }

  const end = (failure: Failure | null): void => {
    clear()
    show('signed-out', failure)
  }

  const limited = ({ retryAfter }: RateLimited): void => hold.begin(retryAfter ?? 0)

  async function renewSession(): Promise<void> {
    const mine = generation
    try {
      hold.check()
      const signedInWith =
        baseUrl === undefined || wireCredential === undefined
          ? await kept()
          : ({ baseUrl, wireCredential } satisfies KeptCredential)
      if (signedInWith === undefined) throw notSignedIn('signed-out')
      await firstPaint()
      if (mine !== generation) throw notSignedIn('signed-out')
      const { tokens: session } = await signIn(
        transport,
        [signedInWith.baseUrl],
        signedInWith.wireCredential,
        isTrusted,
      )
      if (mine !== generation) throw notSignedIn('signed-out')
      accepted(signedInWith.baseUrl)
      adopt(signedInWith, session, true)
    } catch (error) {
      // The person was faster: they signed in, or out.
      if (mine !== generation && authorization() !== undefined) return
      const failure = failureOf(error, 'accounts.signIn')
      // A request that a pause kept from being sent does not make it longer.
      if (failure.kind === 'rate-limited' && failure.until === undefined) limited(failure)
      // While the service cannot be asked, a session that was alive counts as alive: the next request tries again.
      if (mine === generation && (failure.kind === 'not-signed-in' || shown.state !== 'signed-in'))
        end(failure)
      const reason = new FailureError(failure)
      failed = { count: failed.count + 1, reason }
      throw reason
    }
  }

  /** Whether a sign-in may be tried without the person: not after they signed out, nor after a refusal. */
  const mayRenew = (): boolean => shown.failure?.kind !== 'not-signed-in' && signsInAgain()

  const renewedAuthorization = async (): Promise<Authorization> => {
    await renew()
    const renewed = authorization()
    if (renewed === undefined) throw notSignedIn('signed-out')
    return renewed
  }

  /** The failure of a request that has no credential. */
  const withoutSession = (): FailureError =>
    new FailureError(shown.failure ?? notSignedIn('signed-out').failure)

  const refuse = (failure: FailureError): FailureError => {
    end(failure.failure)
    return failure
  }

  const forRequest = async (): Promise<Authorization> => {
    const present = authorization()
    if (present !== undefined && !passed(tokens?.accessEnds)) return present
    if (mayRenew()) return renewedAuthorization()
    if (present === undefined) throw withoutSession()
    // The service may still honour the pair of tokens while the second one lives.
    if (passed(tokens?.refreshEnds)) throw refuse(notSignedIn('expired'))
    return present
  }

  const authorizer: Authorizer = {
    limited,
    current: async (signal) => {
      await hold.nearlyEnded(signal)
      hold.check()
      const given = await forRequest()
      failedBefore.set(given, failed.count)
      return given
    },
    renewed: async (refused, message) => {
      const present = authorization()
      if (present === undefined) throw withoutSession()
      if (present.headers.authorization !== refused.headers.authorization) return present
      // A renewal failed after this request was sent: it gets the same error.
      if ((failedBefore.get(refused) ?? failed.count) < failed.count) throw failed.reason
      if (wireCredential?.kind === 'api-token' || mayRenew()) return renewedAuthorization()
      throw refuse(notSignedIn('expired', message))
    },
  }

  return {
    authorizer,
    shown: (): SessionState => shown,
    /** What signs this account in again, as far as it is in memory. */
    wireCredential: (): WireCredential | undefined => wireCredential,
    /** Takes over a sign-in that succeeded; `keepCredential` where it may be repeated without the person. */
    adopt,
    /**
     * The user signs in. On failure the previous session stays. `check` decides whether the session is the account's
     * before it replaces the previous one. Fails with the kinds of the login, and as `check` does.
     */
    signIn: async (
      signedInWith: KeptCredential,
      keepCredential: boolean,
      { isTrusted: isAddressTrusted = isTrusted, check }: SignInOptions = {},
    ): Promise<void> => {
      const before = shown
      const wasOut = shown.state === 'signed-out'
      if (wasOut) show('signing-in')
      hold.release()
      const mine = generation
      try {
        const { tokens: session } = await signIn(
          transport,
          [signedInWith.baseUrl],
          signedInWith.wireCredential,
          isAddressTrusted,
        )
        await check?.(authorizationOf(signedInWith, session))
        if (mine !== generation) throw new FailureError({ kind: 'cancelled' })
        adopt(signedInWith, session, keepCredential)
      } catch (error) {
        const failure = failureOf(error, 'accounts.signIn')
        if (failure.kind === 'rate-limited') limited(failure)
        // A question to the user is no reason why the account is signed out.
        if (wasOut && mine === generation)
          show('signed-out', failure.kind === 'invalid-input' ? before.failure : failure)
        throw new FailureError(failure)
      }
    },
    /** Signs in with what is kept. Never fails: see `shown`. */
    resume: async (): Promise<void> => {
      if (shown.state === 'signed-in' || !mayRenew()) return
      show('signing-in')
      await renew().catch(() => undefined)
    },
    /** Drops everything; what is under way is not taken over. */
    signOut: (failure: Failure | null = null): void => end(failure),
  }
}
export type Session = ReturnType<typeof createSession>
