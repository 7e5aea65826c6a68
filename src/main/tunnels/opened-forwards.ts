import type { ForwardView } from '#shared/bridge/tunnel'
import type { Subscribe } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { MonotonicClock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import type { Forward } from './forward'
import { findJupyter } from './jupyter'
import type { LocalPage } from './local-page'

/** Seconds that a program on the machine may take to accept connections, and between two attempts. */
const serviceTimeoutSeconds = 15
const probeEvery = 0.5

/** A forward that is open, of one machine. */
export interface ForwardEntry {
  /** Where it leads to; absent: `localhost`. */
  host(): string | undefined
  readonly facts: Omit<ForwardView, 'state' | 'saved'>
  readonly forward: Forward
}

export const forwardFault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: translate('tunnels.forward'), reason })

export interface OpenedForwardsDeps {
  readonly clock: MonotonicClock
  /** Of any forward. */
  readonly onChange: Subscribe<ForwardView[]>
  /** It has not been ended since. */
  isOpen(id: string): boolean
  viewOf(entry: ForwardEntry): ForwardView
  connection(entry: ForwardEntry): SshConnection | undefined
  /** Opens a page of this computer in the person's browser. */
  openLocalPage(page: LocalPage): Promise<void>
}

/** What follows once a forward listens: whether the machine answers, and its page in the browser. */
export function openedForwards(deps: OpenedForwardsDeps) {
  const { clock, onChange, isOpen, viewOf, connection, openLocalPage } = deps

  /** Resolves with the next change of any forward, or after this time. */
  const changeOrAfter = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(seconds, proceed)
      const unsubscribe = onChange(proceed)
      function proceed(): void {
        cancel()
        unsubscribe()
        resolve()
      }
    })

  /** Waits until the forward is open, or has failed. Fails with cancelled where it is ended before. */
  async function settled(entry: ForwardEntry): Promise<ForwardView> {
    const { id } = entry.facts
    const until = clock.monotonic() + serviceTimeoutSeconds
    for (;;) {
      if (!isOpen(id)) throw new FailureError({ kind: 'cancelled' })
      if (connection(entry)) await entry.forward.probe()
      const view = viewOf(entry)
      const { kind } = view.state
      if (kind !== 'connecting' && (kind !== 'unanswered' || clock.monotonic() >= until)) return view
      await changeOrAfter(probeEvery)
    }
  }

  async function browse(entry: ForwardEntry): Promise<void> {
    const { facts } = entry
    const exec = connection(entry)?.exec
    const page =
      facts.name === 'Jupyter' && exec
        ? await findJupyter(exec, facts.port).catch(() => undefined)
        : undefined
    // It was ended since, and another program may have its port by now.
    if (!isOpen(facts.id)) throw new FailureError({ kind: 'cancelled' })
    // The reason of the system may name the address, and that a token.
    await openLocalPage({ path: '/', token: null, ...page, port: facts.localPort }).catch(() => {
      throw forwardFault(translate('tunnels.noBrowser'))
    })
  }
  return { settled, browse }
}
