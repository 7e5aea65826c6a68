import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { type Failure, FailureError, failureOf } from '#shared/failure'
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
    case 'host-key-changed':
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
    case 'local-fault':
      return false
  }
}

/** Whether a request that threw this has certainly changed nothing. */
export const changedNothing = (error: unknown): boolean =>
  error instanceof FailureError && (error.nothingSent || hadNoEffect(error.failure))

/** Sends a request that must not be sent twice: `unknown` where it may have taken effect although it failed, else fails as it does. */
export async function sentOnce(action: string, act: () => Promise<unknown>): Promise<ActionOutcome> {
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

/** Looks for what became of something whose answer was lost, until it is there. Nothing is sent again. Never fails. */
export async function lookUp({ after }: Pick<Clock, 'after'>, look: () => Promise<LookUp>): Promise<LookUp> {
  let found: LookUp | null = null
  for (const pause of [0, ...lookPauses]) {
    if (pause > 0) await new Promise<void>((resolve) => void after(pause, resolve))
    found = await look().catch(() => null)
    if (found === 'done' || found === 'unknown') return found
  }
  return found ?? 'unknown'
}
