import { randomUUID } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { ForwardView } from '#shared/bridge/tunnel'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { type Forward, forwardState, openForward } from './forward'
import { serviceName } from './known-services'
import type { MachineTunnels } from './machine-tunnels'
import type { SavedForward, SavedForwards } from './saved-forwards'

const maxForwards = 50
const maxConnections = 256

type ForwardFacts = Omit<ForwardView, 'state' | 'saved'>

export interface ForwardEntry {
  /** Host that the machine connects to; absent: `localhost`. */
  host(): string | undefined
  readonly facts: ForwardFacts
  readonly forward: Forward
}

export interface ForwardsDeps {
  readonly clock: Clock
  readonly saved: Pick<SavedForwards, 'isSaved'>
  /** Returns the tunnels of a machine, new ones if it has none. Fails with invalid-input (machine). */
  tunnelsOf(account: AccountId, machine: string): MachineTunnels
  findTunnels(account: AccountId, machine: string): MachineTunnels | undefined
  machineName(account: AccountId, machine: string): string
  ended(): void
}

export const forwardFault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: translate('tunnels.forward'), reason })

export function createForwards({ clock, saved, tunnelsOf, findTunnels, machineName, ended }: ForwardsDeps) {
  const entries = new Map<string, ForwardEntry>()
  const changes = createEmitter<ForwardView[]>()
  let emitted = ''
  let connections = 0
  let isClosed = false

  const ofMachine = (account: AccountId, machine: string): ForwardEntry[] =>
    [...entries.values()].filter(({ facts }) => facts.account === account && facts.machine === machine)
  const find = (account: AccountId, machine: string, port: number): ForwardEntry | undefined =>
    ofMachine(account, machine).find(({ facts }) => facts.port === port)

  function viewOf({ facts, forward }: ForwardEntry): ForwardView {
    const tunnels = findTunnels(facts.account, facts.machine)
    const state = forwardState(tunnels?.forwardLink(), forward.outcome(), tunnels?.isSilent() ?? false)
    return { ...facts, saved: saved.isSaved(facts), state }
  }
  const list = (): ForwardView[] => [...entries.values()].map(viewOf)

  function changed(): void {
    const views = list()
    const text = JSON.stringify(views)
    if (isClosed || emitted === text) return
    emitted = text
    changes.emit(views)
  }

  function acquireConnection(): (() => void) | undefined {
    if (connections >= maxConnections) return undefined
    connections += 1
    return () => void (connections -= 1)
  }

  /** Opens a forward, or returns the open forward of the same port. Fails with local-fault and cancelled. */
  async function add(
    account: AccountId,
    machine: string,
    port: number,
    savedForward?: SavedForward,
  ): Promise<ForwardEntry> {
    const existing = find(account, machine, port)
    if (existing) return existing
    if (entries.size >= maxForwards) throw forwardFault(translate('tunnels.tooMany', { count: maxForwards }))
    const tunnels = tunnelsOf(account, machine)
    const wishedPort = savedForward?.localPort ?? port
    const service = () => {
      const report = tunnels.report()
      return report?.kind === 'services' ? report.services.find((listed) => listed.port === port) : undefined
    }
    let { host: lastHost } = service() ?? savedForward ?? {}
    const host = (): string | undefined => {
      const listed = service()
      if (listed) lastHost = listed.host
      return lastHost
    }
    const forward = await openForward({
      port,
      wishedPort,
      acquire: acquireConnection,
      changed,
      clock,
      // `localhost` is both the IPv4 and the IPv6 loopback of the machine.
      host: () => host() ?? 'localhost',
      connection: () => tunnels.connection(),
    }).catch((error: unknown) => {
      throw forwardFault(error instanceof Error ? error.message : String(error))
    })
    // The machine has been deleted, or the application is quitting.
    if (isClosed || tunnels !== findTunnels(account, machine)) {
      forward.close()
      throw new FailureError({ kind: 'cancelled' })
    }
    const named = service() ?? savedForward
    const facts = {
      id: randomUUID(),
      account,
      machine,
      port,
      localPort: forward.localPort,
      wishedPort,
      machineName: machineName(account, machine),
      name: named ? named.name : serviceName(port, null),
    }
    const entry = { facts, forward, host }
    entries.set(facts.id, entry)
    tunnels.settle()
    return entry
  }

  function end(isOver: (facts: ForwardFacts) => boolean): void {
    const over = [...entries.values()].filter(({ facts }) => isOver(facts))
    for (const { facts, forward } of over) {
      forward.close()
      entries.delete(facts.id)
    }
    ended()
    if (over.length > 0) changed()
  }

  return {
    list,
    viewOf,
    ofMachine,
    find,
    byId: (id: string) => entries.get(id),
    onChange: changes.on,
    changed,
    add,
    end,
    close(): void {
      isClosed = true
      for (const { forward } of entries.values()) forward.close()
    },
  }
}
export type Forwards = ReturnType<typeof createForwards>
