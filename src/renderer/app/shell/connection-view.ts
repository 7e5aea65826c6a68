import type { AccountView } from '#shared/bridge/account'
import type { FleetStatus } from '#shared/bridge/fleet'
import type { Failure } from '#shared/failure'
import type { MessagePath } from '../../platform/i18n'

/** How well the window knows an account right now. `asOf` (epoch seconds) is given where its age matters. */
export interface ConnectionView {
  readonly tone: 'good' | 'moving' | 'bad' | 'off'
  readonly title: MessagePath
  readonly asOf: number | null
  readonly failure: Failure | null
  /** Epoch seconds: nothing is sent before then. */
  readonly until?: number
}

/** `unread`: why the snapshot itself could not be had. `online`: what this computer says about its network. */
export function connectionView(
  account: AccountView,
  status: FleetStatus | null,
  unread: Failure | null,
  online: boolean,
): ConnectionView {
  const asOf = status?.asOf ?? null
  const failure = status?.failure ?? unread ?? null
  const view = (
    tone: ConnectionView['tone'],
    title: MessagePath,
    shown: Failure | null = null,
  ): ConnectionView => ({ tone, title, asOf, failure: shown })

  if (account.state === 'signing-in') return view('moving', 'common.connection.signingIn')
  if (account.state === 'signed-out') return view('off', 'common.connection.signedOut', account.failure)
  // The sandbox is on this computer and needs no network.
  if (failure?.kind === 'offline' || (!online && !account.sandbox))
    return view('off', 'common.connection.offline')
  if (account.heldUntil !== null)
    return { ...view('moving', 'common.connection.paused'), until: account.heldUntil }
  if (failure) {
    return view('bad', asOf === null ? 'common.connection.failed' : 'common.connection.stale', failure)
  }
  if (asOf === null) return view('moving', 'common.connection.reading')
  return view('good', 'common.connection.connected')
}
