import type { ForwardView } from '#shared/bridge/tunnel'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { MonotonicClock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import { type ForwardEntry, forwardFault, type Forwards } from './forwards'
import { findJupyter } from './jupyter'
import type { LocalPage } from './local-page'

/** Seconds that a program on the machine may take to accept connections. */
const serviceTimeoutSeconds = 15
const probeIntervalSeconds = 0.5

export interface OpenedForwardsDeps {
  readonly clock: MonotonicClock
  readonly forwards: Pick<Forwards, 'byId' | 'viewOf' | 'onChange'>
  connection(entry: ForwardEntry): SshConnection | undefined
  openLocalPage(page: LocalPage): Promise<void>
}

export function openedForwards({ clock, forwards, connection, openLocalPage }: OpenedForwardsDeps) {
  function failIfEnded({ facts }: ForwardEntry): void {
    if (!forwards.byId(facts.id)) throw new FailureError({ kind: 'cancelled' })
  }

  const changeOrAfter = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(seconds, proceed)
      const unsubscribe = forwards.onChange(proceed)
      function proceed(): void {
        cancel()
        unsubscribe()
        resolve()
      }
    })

  /** Waits until the forward is open or has failed. Fails with cancelled if it ends before. */
  async function settled(entry: ForwardEntry): Promise<ForwardView> {
    const until = clock.monotonic() + serviceTimeoutSeconds
    for (;;) {
      failIfEnded(entry)
      if (connection(entry)) await entry.forward.probe()
      const view = forwards.viewOf(entry)
      const { kind } = view.state
      if (kind !== 'connecting' && (kind !== 'unanswered' || clock.monotonic() >= until)) return view
      await changeOrAfter(probeIntervalSeconds)
    }
  }

  async function browse(entry: ForwardEntry): Promise<void> {
    const { name, port, localPort } = entry.facts
    const exec = connection(entry)?.exec
    const page = name === 'Jupyter' && exec ? await findJupyter(exec, port).catch(() => undefined) : undefined
    // Another program may use the port of an ended forward.
    failIfEnded(entry)
    // The system's reason may contain the address, and the address a token.
    await openLocalPage({ path: '/', token: null, ...page, port: localPort }).catch(() => {
      throw forwardFault(translate('tunnels.noBrowser'))
    })
  }
  return { settled, browse }
}
