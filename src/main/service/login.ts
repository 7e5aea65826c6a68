import { FailureError } from '#shared/failure'
import { Machine } from '#shared/service/machine'
import { LoginResult } from '#shared/service/login'
import type { ServiceAnswer } from './answer'
import type { Transport } from './transport'
import { ask, dataOf, pageParameters } from './http'
import { identify } from './identify'
import { lacksEndpoint } from './lacks-endpoint'
import { readRecords } from './read-records'

/** Session tokens: both are secrets, and neither is ever stored. */
export interface SessionTokens {
  readonly username: string
  readonly access: string
  readonly refresh: string
}

/** What proves the account. `digest` is the MD5 hex digest of the password, as secret as the password itself. */
export type WireCredential =
  | { readonly kind: 'password'; readonly username: string; readonly digest: string }
  | { readonly kind: 'api-token'; readonly token: string }

/** The headers of an authenticated request (api-spec.md §5). */
export const sessionHeaders = ({
  access,
  refresh,
}: {
  readonly access: string
  readonly refresh: string | undefined
}): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${access}`,
  ...(refresh === undefined ? {} : { 'refresh-token': refresh }),
})

export const apiTokenHeaders = (token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
})

/**
 * One sign-in: a page of HTML refuses no password, but may be of a network that asks for a sign-in of its own. The
 * refusal of any other request counts: whatever stands before the service may notice that a session has ended.
 */
const askToProve = async (...asked: Parameters<typeof ask>): Promise<ServiceAnswer> => {
  const answer = await ask(...asked)
  return !answer.ok && answer.page ? { ...answer, failure: answer.page } : answer
}

const askLogin = (transport: Transport, baseUrl: string, username: string, digest: string) =>
  askToProve(
    transport,
    { baseUrl, headers: {} },
    { method: 'POST', path: '/authenticate/login', body: { username, password: digest } },
    [digest],
  )

/** A harmless read that every credential of the service may make. */
const askVerification = (transport: Transport, baseUrl: string, token: string) =>
  askToProve(
    transport,
    { baseUrl, headers: apiTokenHeaders(token) },
    { method: 'GET', path: '/virtual-machines', query: pageParameters({ limit: 1 }) },
  )

/** Statuses that refuse no credential: the request took too long, or came too early. */
const comesAgain: readonly number[] = [408, 425]

/** A login that the service understood and turned down is a refused sign-in, whatever status it chose for that. */
const loginFailure = ({ failure, status }: Extract<ServiceAnswer, { ok: false }>): FailureError => {
  const saysNothing = status >= 500 || lacksEndpoint(status) || comesAgain.includes(status)
  if (failure.kind !== 'refused-by-service' || saysNothing) return new FailureError(failure)
  return new FailureError({ kind: 'not-signed-in', reason: 'refused', message: failure.message })
}

/** Whether the service does not live at the address that was asked: no envelope there, or no such path. */
const isElsewhere = (answer: ServiceAnswer): boolean =>
  !answer.ok && (answer.failure.kind === 'unexpected-answer' || lacksEndpoint(answer.status))

type BaseUrls = readonly [string, ...string[]]

/**
 * Returns the base URLs that credentials may be sent to: those that are trusted, and those that identify themselves.
 * Fails with invalid-input (baseUrl: web-page or not-identified) if none does, and with the kinds of `send`.
 */
async function identified(
  transport: Transport,
  baseUrls: BaseUrls,
  isTrusted: (baseUrl: string) => boolean,
): Promise<BaseUrls> {
  const found: string[] = []
  let isPage = false
  for (const baseUrl of baseUrls) {
    const identity = isTrusted(baseUrl) ? 'service' : await identify(transport, baseUrl)
    if (identity === 'service') found.push(baseUrl)
    isPage ||= identity === 'web-page'
  }
  const [first, ...others] = found
  if (first !== undefined) return [first, ...others]
  throw new FailureError({
    kind: 'invalid-input',
    field: 'baseUrl',
    reason: isPage ? 'web-page' : 'not-identified',
  })
}

/**
 * Proves the account at the first of `typed` where the service lives; `tokens` where it is proved by a password. No
 * credential is sent to an address that is neither trusted nor identifies itself (identify.ts). Fails with the kinds of
 * `send`, not-signed-in (refused), rate-limited, refused-by-service, unexpected-answer, invalid-input (baseUrl).
 */
export const signIn = async (
  transport: Transport,
  typed: BaseUrls,
  wireCredential: WireCredential,
  isTrusted: (baseUrl: string) => boolean,
): Promise<{ readonly baseUrl: string; readonly tokens: SessionTokens | undefined }> => {
  const baseUrls = await identified(transport, typed, isTrusted)
  const attempt = (baseUrl: string): Promise<ServiceAnswer> =>
    wireCredential.kind === 'password'
      ? askLogin(transport, baseUrl, wireCredential.username, wireCredential.digest)
      : askVerification(transport, baseUrl, wireCredential.token)
  let baseUrl = baseUrls[0]
  let answer = await attempt(baseUrl)
  for (const candidate of baseUrls.slice(1)) {
    if (!isElsewhere(answer)) break
    const other = await attempt(candidate)
    // Where no address leads to the service, the answer of the typed one says more.
    if (isElsewhere(other)) continue
    answer = other
    baseUrl = candidate
  }
  if (!answer.ok) throw loginFailure(answer)
  if (wireCredential.kind === 'api-token') {
    // A list shows that the credential is taken; what is odd in it is counted where machines are read.
    readRecords(answer.envelope.data, Machine)
    return { baseUrl, tokens: undefined }
  }
  const result = dataOf(answer.envelope.data, LoginResult)
  return {
    baseUrl,
    tokens: { username: result.username, access: result.access_token, refresh: result.refresh_token },
  }
}
