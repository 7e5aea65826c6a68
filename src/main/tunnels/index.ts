import { randomUUID } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import type { ForwardView, ServicesView, tunnelCalls, tunnelEvents } from '#shared/bridge/tunnel'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { resourceKey } from '#shared/resource-key'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { createMutex } from '../core/mutex'
import type { ReportError } from '../core/report-error'
import { plainPort } from '../ssh/client/plain-values'
import type { GoneWhileClosedDeps } from '../fleet/gone-while-closed'
import { type FollowedMachines, followMachines } from '../ssh/follow-machines'
import type { SshMachines } from '../ssh/machines/index'
import { forwardState, openForward } from './forward'
import { serviceName } from './known-services'
import { type MachineTunnels, machineTunnels } from './machine-tunnels'
import { type ForwardEntry, forwardFault, openedForwards, type OpenedForwardsDeps } from './opened-forwards'
import { restoreForwards } from './restore-forwards'
import { createSavedForwards, type SavedForward } from './saved-forwards'
import type { Sections } from '../store/settings'

export interface TunnelsDeps
  extends
    FollowedMachines,
    Pick<GoneWhileClosedDeps, 'fleet' | 'details'>,
    Pick<OpenedForwardsDeps, 'clock' | 'openLocalPage'> {
  /** Forwards are saved here. */
  readonly documents: Sections
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly report: ReportError
}

/** Forwards, and connections through all of them, that one person has open at once, at most. */
const mostForwards = 50
const mostConnections = 256

/** What listens on machines, and ports of this computer that lead there. They end with the application. */
export function createTunnels(deps: TunnelsDeps) {
  const { clock } = deps
  const machines = new Map<string, { account: AccountId; machine: string; tunnels: MachineTunnels }>()
  const forwards = new Map<string, ForwardEntry>()
  const services = createEmitter<ServicesView>()
  const changes = createEmitter<ForwardView[]>()
  const oneAtATime = createMutex()
  const saved = createSavedForwards(deps.documents)
  /** What was last emitted: of each machine, and of all forwards (''). */
  const emitted = new Map<string, string>()
  let connections = 0
  let isClosed = false

  const of = (account: AccountId, machine: string): ForwardEntry[] =>
    [...forwards.values()].filter(({ facts }) => facts.account === account && facts.machine === machine)

  function viewOf({ facts, forward }: ForwardEntry): ForwardView {
    const tunnels = machines.get(resourceKey(facts.account, facts.machine))?.tunnels
    const state = forwardState(tunnels?.forwardLink(), forward.outcome(), tunnels?.isSilent() ?? false)
    return { ...facts, saved: saved.isSaved(facts), state }
  }
  const list = (): ForwardView[] => [...forwards.values()].map(viewOf)

  function emitNew<Value>(key: string, value: Value, emit: (value: Value) => void): void {
    const text = JSON.stringify(value)
    if (isClosed || emitted.get(key) === text) return
    emitted.set(key, text)
    emit(value)
  }
  const changed = (): void => emitNew('', list(), changes.emit)

  function servicesView(account: AccountId, machine: string): ServicesView {
    const { tunnels } = tunnelsOf(account, machine)
    return { account, machine, link: tunnels.link(), report: tunnels.report() }
  }

  /** Fails with invalid-input (machine). */
  function tunnelsOf(account: AccountId, machine: string) {
    const key = resourceKey(account, machine)
    const known = machines.get(key)
    if (known) return known
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
    const tunnels = machineTunnels({
      machines: deps.sshMachines,
      account,
      machine,
      view: () => deps.machine(account, machine),
      isForwarded: () => of(account, machine).length > 0,
      ownPorts: () => list().flatMap(({ localPort, port: own }) => (localPort === own ? [] : [localPort])),
      changed() {
        if (!machines.has(key)) return
        emitNew(key, servicesView(account, machine), services.emit)
        changed()
      },
      connected() {
        for (const { forward } of of(account, machine)) void forward.probe()
      },
      clock,
    })
    const made = { account, machine, tunnels }
    machines.set(key, made)
    return made
  }

  function acquire(): (() => void) | undefined {
    if (connections >= mostConnections) return undefined
    connections += 1
    return () => void (connections -= 1)
  }

  /** `from`: a saved one, as it was. */
  async function add(
    account: AccountId,
    machine: string,
    port: number,
    from?: SavedForward,
  ): Promise<ForwardEntry> {
    const same = of(account, machine).find(({ facts }) => facts.port === port)
    if (same) return same
    if (forwards.size >= mostForwards)
      throw forwardFault(translate('tunnels.tooMany', { count: mostForwards }))
    const { tunnels } = tunnelsOf(account, machine)
    const wishedPort = from?.localPort ?? port
    const service = () => {
      const report = tunnels.report()
      return report?.kind === 'services' ? report.services.find((one) => one.port === port) : undefined
    }
    let { host: last } = service() ?? from ?? {}
    const host = (): string | undefined => {
      const now = service()
      if (now) last = now.host
      return last
    }
    const forward = await openForward({
      port,
      wishedPort,
      acquire,
      changed,
      clock,
      // That is the IPv4 and the IPv6 loopback of the machine.
      host: () => host() ?? 'localhost',
      connection: () => tunnels.connection(),
    }).catch((error: unknown) => {
      throw forwardFault(error instanceof Error ? error.message : String(error))
    })
    const found = service()
    const id = randomUUID()
    const facts = {
      id,
      account,
      machine,
      port,
      localPort: forward.localPort,
      wishedPort,
      machineName: deps.machine(account, machine)?.name ?? machine,
      name: found ? found.name : from ? from.name : serviceName(port, null),
    }
    const entry = { facts, forward, host }
    // The machine was deleted since, or the application is quitting.
    if (isClosed || tunnels !== machines.get(resourceKey(account, machine))?.tunnels) {
      forward.close()
      throw new FailureError({ kind: 'cancelled' })
    }
    forwards.set(id, entry)
    tunnels.settle()
    return entry
  }

  const { settled, browse } = openedForwards({
    clock,
    onChange: changes.on,
    openLocalPage: deps.openLocalPage,
    viewOf,
    isOpen: (id) => forwards.has(id),
    connection: ({ facts }) => machines.get(resourceKey(facts.account, facts.machine))?.tunnels.connection(),
  })

  async function openAndBrowse({ account, machine, ...wanted }: CallInput<'tunnel.open'>) {
    const port = plainPort(wanted.port)
    tunnelsOf(account, machine).tunnels.ask()
    const entry = await oneAtATime(() => add(account, machine, port))
    const view = await settled(entry)
    if (wanted.browse && view.state.kind === 'open') await browse(entry)
    return view
  }

  const settle = (): void => machines.forEach(({ tunnels }) => tunnels.settle())
  function end(isOver: (facts: ForwardEntry['facts']) => boolean): void {
    const over = [...forwards.values()].filter(({ facts }) => isOver(facts))
    for (const { facts, forward } of over) {
      forward.close()
      forwards.delete(facts.id)
    }
    settle()
    if (over.length > 0) changed()
  }

  function stop(id: string): void {
    const facts = forwards.get(id)?.facts
    if (!facts) return
    const written = saved.remove(
      facts.account,
      ({ machine, port }) => machine === facts.machine && port === facts.port,
    )
    written.catch((error: unknown) => deps.report('tunnel.save', error))
    end((one) => one.id === id)
  }

  function forget(account: AccountId, gone: (machine: string) => boolean): void {
    for (const [key, one] of machines) {
      if (one.account !== account || !gone(one.machine)) continue
      machines.delete(key)
      emitted.delete(key)
      one.tunnels.close()
    }
    end((facts) => facts.account === account && gone(facts.machine))
  }

  const unfollow = followMachines(deps, {
    kept: () => machines.values(),
    settle,
    forget,
  })
  const endRestoring = restoreForwards({
    ...deps,
    saved,
    loaded: changed,
    isOpen: ({ account, machine, port }) => of(account, machine).some(({ facts }) => facts.port === port),
    // Nothing is asked of the person for it.
    open: (one, isWanted) =>
      oneAtATime(async () => {
        if (isWanted()) await add(one.account, one.machine, one.port, one)
      }),
  })

  const handlers: HandlersOf<typeof tunnelCalls> = {
    'tunnel.look': ({ account, machine, looking }) => {
      tunnelsOf(account, machine).tunnels.look(looking)
      return servicesView(account, machine)
    },
    'tunnel.retry': ({ account, machine }) => {
      tunnelsOf(account, machine).tunnels.retry()
      return null
    },
    'tunnel.forwards': list,
    'tunnel.open': openAndBrowse,
    'tunnel.save': async ({ forward, saved: isSaved }) => {
      const entry = forwards.get(forward)
      if (!entry) return list()
      const { account, machine, port, localPort, name } = entry.facts
      const host = entry.host()
      const written = isSaved
        ? saved.save({ account, machine, port, localPort, name, ...(host !== undefined && { host }) })
        : saved.remove(account, (one) => one.machine === machine && one.port === port)
      changed()
      await written
      return list()
    },
    'tunnel.stop': ({ forward }) => {
      stop(forward)
      return list()
    },
  }
  const events: EventsOf<typeof tunnelEvents> = {
    'tunnel.services': services.on,
    'tunnel.changed': changes.on,
  }
  return defineModule({
    handlers,
    events,
    forwards: list,
    onForwards: changes.on,
    stop,
    async forgetAccount(account: AccountId): Promise<void> {
      forget(account, () => true)
      await saved.remove(account, () => true)
    },
    windowChanged(isOpen: boolean): void {
      if (!isOpen) machines.forEach(({ tunnels }) => tunnels.look(false))
    },
    close(): void {
      isClosed = true
      unfollow()
      endRestoring()
      for (const { tunnels } of machines.values()) tunnels.close()
      for (const { forward } of forwards.values()) forward.close()
    },
  })
}
