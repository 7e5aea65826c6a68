import { createFetch, FetchError, type FetchResponse } from 'ofetch'
import { FailureError } from '#shared/failure'
import { onAbort } from '../core/on-abort'
import type { Clock } from '../core/clock'
import type { RawAnswer } from './answer'
import { isLoopback } from './base-url'
import { networkFailure } from './network-failure'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One request. `path` begins with a slash and is already encoded; undefined query values are omitted. */
export interface HttpRequest {
  readonly baseUrl: string
  readonly method: Method
  /** Whether it has side effects; by default every method but GET. */
  readonly changes?: boolean | undefined
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FreshFetch {
  readonly fetch: typeof fetch
  done(): void
}

export interface Transport {
  readonly fetch: typeof fetch
  /**
   * For requests with side effects if `fetch` may repeat them: Chromium does, whatever the method, when a reused
   * connection breaks without an answer. Absent in Node, which does not.
   */
  readonly freshFetch?: (() => Promise<FreshFetch>) | undefined
  /**
   * Epoch seconds until which requests waited for the user, such as for a proxy sign-in; Infinity while they wait.
   * This time does not count towards the timeout.
   */
  readonly heldUntil?: (() => number) | undefined
  online(): boolean
  readonly now: Clock['now']
  /** Timeout in seconds for a whole exchange, including reading the answer. */
  readonly timeoutSeconds: number
  readonly maxAnswerBytes: number
}

/** Thirty days of metrics with a point per minute are about ten million bytes. */
export const defaultLimits = { timeoutSeconds: 30, maxAnswerBytes: 64 * 1024 * 1024 } as const

const tooLarge = (limit: number): FailureError =>
  new FailureError({
    kind: 'unexpected-answer',
    expected: `at most ${String(limit)} bytes`,
    received: 'a larger answer',
  })

const readText = async (response: Response, limit: number, signal: AbortSignal): Promise<string> => {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const stop = (): void => void reader.cancel().catch(() => undefined)
  const forget = onAbort(signal, stop)
  try {
    if (Number(response.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
    const decoder = new TextDecoder()
    let text = ''
    for (let size = 0; ;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > limit) throw tooLarge(limit)
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    forget()
    stop()
  }
}

const originOf = (location: string | null, base: string): string | null =>
  location !== null && URL.canParse(location, base) ? new URL(location, base).origin : null

const answerOf = (response: FetchResponse<unknown>, url: string, text: string): RawAnswer => ({
  status: response.status,
  contentType: response.headers.get('content-type') ?? '',
  retryAfter: response.headers.get('retry-after'),
  redirectsTo: originOf(response.headers.get('location'), url),
  text,
})

/**
 * Sends one request, once, and reads the whole answer. Never follows redirects or keeps cookies. Fails with offline,
 * cannot-connect, timed-out, untrusted-certificate, proxy, unexpected-answer and cancelled (by `signal`).
 */
export const send = async (transport: Transport, request: HttpRequest): Promise<RawAnswer> => {
  const { baseUrl, signal } = request
  const target = new URL(baseUrl)
  const ended = new AbortController()
  const cancel = (): void => ended.abort()
  let timer = setTimeout(expire, transport.timeoutSeconds * 1000)
  function expire(): void {
    const held = transport.heldUntil?.() ?? 0
    const sinceHeld = transport.now() - held
    const left = transport.timeoutSeconds - sinceHeld
    // If the wait ended in the future, the clock was set back, which extends no timeout.
    if (left > 0 && (sinceHeld >= 0 || held === Infinity))
      timer = setTimeout(expire, Math.min(left, transport.timeoutSeconds) * 1000)
    else cancel()
  }
  if (signal?.aborted === true) cancel()
  const forget = onAbort(signal, cancel)
  const started = transport.now()
  let fresh: FreshFetch | undefined
  try {
    const changes = request.changes ?? request.method !== 'GET'
    // Fails before sending, so that a change certainly had no effect.
    if (changes && !isLoopback(target.hostname) && !transport.online())
      throw new FailureError({ kind: 'offline' }, true)
    fresh = changes ? await transport.freshFetch?.() : undefined
    const url = `${baseUrl}${request.path}`
    const response = await createFetch({ fetch: fresh?.fetch ?? transport.fetch }).raw(url, {
      method: request.method,
      ...(request.query === undefined ? {} : { query: { ...request.query } }),
      headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
      ...(request.body === undefined ? {} : { body: { ...request.body } }),
      signal: ended.signal,
      // ofetch retries a GET on 503 and similar, and start, stop and reboot are GETs.
      retry: 0,
      responseType: 'stream',
      ignoreResponseError: true,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    })
    return answerOf(response, url, await readText(response, transport.maxAnswerBytes, ended.signal))
  } catch (error) {
    const cause = error instanceof FetchError ? error.cause : error
    if (cause instanceof FailureError) throw cause
    if (signal?.aborted === true) throw new FailureError({ kind: 'cancelled' })
    const host = target.host
    if (ended.signal.aborted) {
      throw new FailureError({ kind: 'timed-out', host, seconds: transport.timeoutSeconds })
    }
    throw new FailureError(
      networkFailure(cause, {
        host,
        loopback: isLoopback(target.hostname),
        online: transport.online(),
        seconds: Math.max(1, Math.round(transport.now() - started)),
      }),
    )
  } finally {
    fresh?.done()
    clearTimeout(timer)
    forget()
  }
}
