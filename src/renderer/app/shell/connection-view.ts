import type { AccountView } from '#shared/bridge/account'
import type { FleetStatus } from '#shared/bridge/fleet'
import type { Failure } from '#shared/failure'
import type { MessagePath } from '../../platform/i18n'

/** State of an account's connection. `asOf`: epoch seconds of the last reading. */
export interface ConnectionView {
  readonly tone: 'good' | 'late' | 'moving' | 'bad' | 'off'
  readonly title: MessagePath
  readonly asOf: number | null
  readonly failure: Failure | null
  /** Epoch seconds before which no request is sent. */
  readonly until?: number
}

/**
 * Derives the state. `unread`: the failure to read the snapshot. `online`: whether this computer has a network. `now`:
 * epoch seconds.
 */
export function connectionView(
  account: AccountView,
  status: FleetStatus | null,
  unread: Failure | null,
  online: boolean,
  now: number,
): ConnectionView {
  const asOf = status?.asOf ?? null
  const lastFailure = status?.failure ?? unread ?? null
  const view = (
    tone: ConnectionView['tone'],
    title: MessagePath,
    failure: Failure | null = null,
  ): ConnectionView => ({ tone, title, asOf, failure })

  if (account.state === 'signing-in') return view('moving', 'common.connection.signingIn')
  if (account.state === 'signed-out') return view('off', 'common.connection.signedOut', account.failure)
  // The sandbox runs on this computer and needs no network.
  if (lastFailure?.kind === 'offline' || (!online && !account.sandbox))
    return view('off', 'common.connection.offline')
  if (account.heldUntil !== null)
    return { ...view('moving', 'common.connection.paused'), until: account.heldUntil }
  if (lastFailure)
    return view('bad', asOf === null ? 'common.connection.failed' : 'common.connection.stale', lastFailure)
  if (asOf === null) return view('moving', 'common.connection.reading')
  if (status?.overdueAt !== undefined && now >= status.overdueAt)
    return view('late', 'common.connection.overdue')
  return view('good', 'common.connection.connected')
}
