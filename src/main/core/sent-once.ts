import type { ActionOutcome } from '#shared/bridge/machine-action'
import { type Failure, failureOf } from '#shared/failure'

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

/** Sends a request that must not be sent twice: `unknown` where it may have taken effect although it failed, else fails as it does. */
export async function sentOnce(action: string, act: () => Promise<unknown>): Promise<ActionOutcome> {
  try {
    await act()
    return { kind: 'done' }
  } catch (error) {
    const failure = failureOf(error, action)
    if (hadNoEffect(failure)) throw error
    return { kind: 'unknown', failure }
  }
}
