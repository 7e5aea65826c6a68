import { FailureError } from '#shared/failure'
import { Machine } from '#shared/service/machine'
import { LoginResult } from '#shared/service/login'
import type { ServiceAnswer } from './answer'
import type { Transport } from './transport'
import { ask, dataOf, pageParameters } from './http'
import { identify } from './identify'
import { lacksEndpoint } from './lacks-endpoint'
import { readRecords } from './read-records'

/** Session tokens. Both are secrets and never stored. */
export interface SessionTokens {
  readonly username: string
  readonly access: string
  readonly refresh: string
}

/** Credentials as sent. `digest` is the MD5 hex digest of the password, as secret as the password. */
export type WireCredential =
  | { readonly kind: 'password'; readonly username: string; readonly digest: string }
  | { readonly kind: 'api-token'; readonly token: string }

/** Headers of an authenticated request (api-spec.md §5). */
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
 * Sends one sign-in. An HTML page does not count as a refusal: it may be a network's own sign-in page. For other
 * requests it counts, as a proxy may notice the end of a session.
 */
const askToProve = async (...request: Parameters<typeof ask>): Promise<ServiceAnswer> => {
  const answer = await ask(...request)
  return !answer.ok && answer.page ? { ...answer, failure: answer.page } : answer
}

const askLogin = (transport: Transport, baseUrl: string, username: string, digest: string) =>
  askToProve(
    transport,
    { baseUrl, headers: {} },
    { method: 'POST', path: '/authenticate/login', body: { username, password: digest } },
    [digest],
  )

const askVerification = (transport: Transport, baseUrl: string, token: string) =>
  askToProve(
    transport,
    { baseUrl, headers: apiTokenHeaders(token) },
    { method: 'GET', path: '/virtual-machines', query: pageParameters({ limit: 1 }) },
  )

/** Statuses of requests that may be repeated: they do not concern the credential. */
const repeatableStatuses: readonly number[] = [408, 425]

/** Treats a rejected login as a refused sign-in, whatever its status. */
const loginFailure = ({ failure, status }: Extract<ServiceAnswer, { ok: false }>): FailureError => {
  const isInconclusive = status >= 500 || lacksEndpoint(status) || repeatableStatuses.includes(status)
  if (failure.kind !== 'refused-by-service' || isInconclusive) return new FailureError(failure)
  return new FailureError({ kind: 'not-signed-in', reason: 'refused', message: failure.message })
}

/** Whether the service is not at this address: no envelope, or no such path. */
const isElsewhere = (answer: ServiceAnswer): boolean =>
  !answer.ok && (answer.failure.kind === 'unexpected-answer' || lacksEndpoint(answer.status))

type BaseUrls = readonly [string, ...string[]]

/**
 * Returns the base URLs that credentials may be sent to: trusted ones, and addresses that identify themselves.
 * Fails with invalid-input (baseUrl: web-page or not-identified) if none does, and with the kinds of `send`.
 */
async function identified(
  transport: Transport,
  baseUrls: BaseUrls,
  isTrusted: (baseUrl: string) => boolean,
): Promise<BaseUrls> {
  const usable: string[] = []
  let isPage = false
  for (const baseUrl of baseUrls) {
    const identity = isTrusted(baseUrl) ? 'service' : await identify(transport, baseUrl)
    if (identity === 'service') usable.push(baseUrl)
    isPage ||= identity === 'web-page'
  }
  const [first, ...others] = usable
  if (first !== undefined) return [first, ...others]
  throw new FailureError({
    kind: 'invalid-input',
    field: 'baseUrl',
    reason: isPage ? 'web-page' : 'not-identified',
  })
}

/**
 * Signs in at the first of `typed` that answers as the service. A password sign-in returns `tokens`. No credential is
 * sent to an address that is neither trusted nor identified (identify.ts). Fails with the kinds of `send`,
 * not-signed-in (refused), rate-limited, refused-by-service, unexpected-answer, invalid-input (baseUrl).
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
    const nextAnswer = await attempt(candidate)
    // If no address is the service, the answer of the typed address is more useful.
    if (isElsewhere(nextAnswer)) continue
    answer = nextAnswer
    baseUrl = candidate
  }
  if (!answer.ok) throw loginFailure(answer)
  if (wireCredential.kind === 'api-token') {
    // Fails if the answer is no list. Unreadable machines are counted elsewhere.
    readRecords(answer.envelope.data, Machine)
    return { baseUrl, tokens: undefined }
  }
  const result = dataOf(answer.envelope.data, LoginResult)
  return {
    baseUrl,
    tokens: { username: result.username, access: result.access_token, refresh: result.refresh_token },
  }
}
