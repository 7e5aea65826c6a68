import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { type Failure, FailureError } from '#shared/failure'
import { onAbort } from './on-abort'
import { failureOf } from './failure-of'
import type { Action } from '#shared/messages/en/actions'
import type { Clock } from './clock'

/** The system's codes for a connection that never came about: nothing was sent. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ERR_CONNECTION_REFUSED',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_ADDRESS_UNREACHABLE',
])

/** Whether a request that failed like this has certainly changed nothing. After every other failure the outcome is unknown. */
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
      // A gateway answers 5xx and 408 for a service that may have acted.
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

/** Whether a request that threw this has certainly changed nothing. */
export const changedNothing = (error: unknown): boolean =>
  error instanceof FailureError && (error.nothingSent || hadNoEffect(error.failure))

/** Sends a request that must not be sent twice: `unknown` where it may have taken effect although it failed, else fails as it does. */
export async function sentOnce(action: Action, act: () => Promise<unknown>): Promise<ActionOutcome> {
  try {
    await act()
    return { kind: 'done' }
  } catch (error) {
    if (changedNothing(error)) throw error
    return { kind: 'unknown', failure: failureOf(error, action) }
  }
}

/** Seconds between two looks: a service that is slow may act after its answer was given up. */
const lookPauses = [2, 4, 8, 16] as const

/**
 * Looks for what became of things whose answers were lost. Nothing is sent again. Once closed, nothing is looked for
 * any more.
 */
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
    /** Looks until it is there. Never fails: `unknown` too where the application ends before. */
    async lookUp(look: () => Promise<LookUp>): Promise<LookUp> {
      let found: LookUp | null = null
      for (const seconds of [0, ...lookPauses]) {
        if (seconds > 0) await pause(seconds)
        if (signal.aborted) return 'unknown'
        found = await look().catch(() => null)
        if (signal.aborted) return 'unknown'
        if (found === 'done' || found === 'unknown') return found
      }
      return found ?? 'unknown'
    },
    close: (): void => closing.abort(),
  }
}
