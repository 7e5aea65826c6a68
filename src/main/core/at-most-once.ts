import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { type Failure, FailureError } from '#shared/failure'
import { onAbort } from './on-abort'
import { failureOf } from './failure-of'
import type { Action } from '#shared/messages/en/actions'
import type { Clock } from './clock'

/** System error codes of connections that were never made, so nothing was sent. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ERR_CONNECTION_REFUSED',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_ADDRESS_UNREACHABLE',
])

/** Whether a request that failed like this certainly changed nothing. After other failures it is unknown. */
export function hadNoEffect(failure: Failure): boolean {
  switch (failure.kind) {
    case 'not-signed-in':
    case 'invalid-input':
    case 'not-offered-by-service':
    case 'keychain-unavailable':
    case 'untrusted-certificate':
    case 'proxy':
    case 'host-key-changed':
    case 'host-key-refused':
    case 'rate-limited':
    case 'forbidden':
      return true
    case 'refused-by-service':
      // A gateway may answer 5xx and 408 although the service has acted.
      return failure.status < 500 && failure.status !== 408
    case 'cannot-connect':
      return neverConnected.has(failure.reason)
    case 'offline':
    case 'timed-out':
    case 'unexpected-answer':
    case 'cancelled':
    case 'disk-full':
    case 'no-space':
    case 'local-fault':
      return false
  }
}

export const changedNothing = (error: unknown): boolean =>
  error instanceof FailureError && (error.nothingSent || hadNoEffect(error.failure))

/** Sends a request that must not be repeated. Returns `unknown` if a failed request may have taken effect. */
export async function sentOnce(action: Action, act: () => Promise<unknown>): Promise<ActionOutcome> {
  try {
    await act()
    return { kind: 'done' }
  } catch (error) {
    if (changedNothing(error)) throw error
    return { kind: 'unknown', failure: failureOf(error, action) }
  }
}

/** Seconds between two lookups. A slow service may act after the client gave up. */
const lookupPausesSeconds = [2, 4, 8, 16] as const

/** Finds out what became of requests whose answers were lost. Never repeats them. */
export function createLookUp({ after }: Pick<Clock, 'after'>) {
  const closing = new AbortController()
  const { signal } = closing
  const pause = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = after(seconds, end)
      const stop = onAbort(signal, end)
      function end(): void {
        cancel()
        stop()
        resolve()
      }
    })
  return {
    /** Repeats `look` until it is conclusive. Never fails; returns `unknown` if the application closes first. */
    async lookUp(look: () => Promise<LookUp>): Promise<LookUp> {
      let answer: LookUp | null = null
      for (const seconds of [0, ...lookupPausesSeconds]) {
        if (seconds > 0) await pause(seconds)
        if (signal.aborted) return 'unknown'
        answer = await look().catch(() => null)
        if (signal.aborted) return 'unknown'
        if (answer === 'done' || answer === 'unknown') return answer
      }
      return answer ?? 'unknown'
    },
    close: (): void => closing.abort(),
  }
}
