import pLimit from 'p-limit'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { machineState } from '#shared/service/machine-state'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../../core/clock'
import type { Network } from '../../core/network'
import type { ReportError } from '../../core/report-error'
import type { ReachChange, Ssh } from '../../ssh/index'
import { openConnection } from '../../ssh/client/connection'
import type { ConnectionOutcome, ConnectionTarget } from '../../ssh/client/target'
import type { OpenConsents } from './consents'
import { type MachineWatch, type MachineWatchDeps, machineWatch } from './machine-watch'
import type { openStops } from './stops'

export interface WatchesDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  /** Ids of all machines of the account that are listed now. */
  machines(account: AccountId): readonly string[]
  reach: Ssh['reach']
  record: Ssh['record']
  readonly clock: Clock
  readonly network: Pick<Network, 'onBack'>
  /** Between 0 and 1. */
  random(): number
  readonly report: ReportError
  /** Opens connections; real ones where absent. */
  readonly open?: (target: ConnectionTarget, signal: AbortSignal) => Promise<ConnectionOutcome>
  /** Machines that are connected to at once; `connectedAtOnce` where absent. */
  readonly limit?: number
}

interface Events {
  /** The link or the report of a machine has changed. */
  changed(account: AccountId, machine: string): void
  read(account: AccountId, machine: string, ...answer: Parameters<MachineWatchDeps['read']>): void
}

/** Machines that are connected to at once, and connections that are being opened at once. */
const connectedAtOnce = 100
const openedAtOnce = 4

const cancelled: ConnectionOutcome = { kind: 'not-reached', reason: 'ECONNABORTED' }

interface Watched {
  readonly account: AccountId
  readonly machine: string
  /** Address and user that the connection was made for; with others it is made anew. */
  readonly place: string
  readonly watch: MachineWatch
}

/** One watch per machine that may be read and runs, so many of them connected at once; the others wait for room. */
export function createWatches(
  deps: WatchesDeps,
  consents: OpenConsents,
  stops: ReturnType<typeof openStops>,
  events: Events,
) {
  const { limit = connectedAtOnce } = deps
  const limitOpening = pLimit(openedAtOnce)
  const open = deps.open ?? openConnection
  const watched = new Map<string, Watched>()
  const focused = new Set<string>()
  /** Machines that have a connection, or are opening one. */
  const connections = new Set<string>()
  /** A machine waits for room. */
  let isShort = false
  let isSettling = false
  let awake = true
  let isClosed = false
  const tooMany: Extract<SshStop, { kind: 'too-many' }> = { kind: 'too-many', limit }

  const hasRoom = (): boolean => connections.size < limit
  function release(key: string): void {
    if (connections.delete(key) && isShort && !isSettling) settle()
  }

  /** A machine of unknown state is tried: the service need not report one. */
  function mayRun(account: AccountId, machine: string): boolean {
    const known = deps.machine(account, machine)
    if (!known) return false
    const state = machineState(known.status)
    return known.address !== null && (state === 'running' || state === 'other')
  }

  const placeOf = (account: AccountId, machine: string): string =>
    JSON.stringify([deps.machine(account, machine)?.address, deps.machine(account, machine)?.username])

  function begin(account: AccountId, machine: string): void {
    const key = resourceKey(account, machine)
    const place = placeOf(account, machine)
    const watch = machineWatch({
      reach: () => {
        if (connections.has(key) || hasRoom()) {
          connections.add(key)
          return deps.reach(account, machine)
        }
        isShort = true
        return Promise.resolve(tooMany)
      },
      // Consent may have been withdrawn while the connection waited for others.
      open: (target, signal) =>
        limitOpening(() => (signal.aborted ? Promise.resolve(cancelled) : open(target, signal))),
      record: (hostKey) => deps.record(account, machine, hostKey),
      trustsFirstKey: () => consents.hasAll(account),
      changed: () => {
        const { kind } = watch.link()
        stops.follow(account, machine, place, watch.link())
        events.changed(account, machine)
        if (kind !== 'connecting' && kind !== 'connected') release(key)
      },
      read: (report, at) => events.read(account, machine, report, at),
      clock: deps.clock,
      network: deps.network,
      random: deps.random,
      report: deps.report,
    })
    const stop = stops.of(account, machine, place)
    watched.set(key, { account, machine, place, watch })
    watch.focus(focused.has(key))
    if (stop) watch.stop(stop)
    else watch.connect()
  }

  function end({ account, machine, watch }: Watched): void {
    const key = resourceKey(account, machine)
    watch.close()
    watched.delete(key)
    events.changed(account, machine)
    release(key)
  }

  const waitsForRoom = ({ watch }: Watched): boolean => {
    const link = watch.link()
    return link.kind === 'stopped' && link.stop.kind === 'too-many'
  }

  function beginWanted(account: AccountId, machine: string): void {
    const one = watched.get(resourceKey(account, machine))
    if ((one && !waitsForRoom(one)) || !mayRun(account, machine)) return
    if (!hasRoom() && !stops.of(account, machine, placeOf(account, machine))) isShort = true
    else if (one) one.watch.connect()
    else begin(account, machine)
  }

  /** Connects running machines with consent, and disconnects all others. To be called when machines change. */
  function settle(): void {
    if (isClosed || !stops.isReady()) return
    isSettling = true
    isShort = false
    for (const one of [...watched.values()]) {
      const { account, machine, place } = one
      const stays = awake && consents.has(account, machine) && mayRun(account, machine)
      if (!stays || place !== placeOf(account, machine)) end(one)
    }
    for (const account of awake ? consents.accounts() : []) {
      const ids = consents.hasAll(account) ? deps.machines(account) : consents.of(account)
      for (const machine of ids) if (consents.has(account, machine)) beginWanted(account, machine)
    }
    isSettling = false
  }

  const find = (account: AccountId, machine: string): MachineWatch | undefined =>
    watched.get(resourceKey(account, machine))?.watch
  const off = (why: Extract<SshLink, { kind: 'off' }>['why']): SshLink => ({ kind: 'off', why })

  return {
    find,
    settle,
    link(account: AccountId, machine: string): SshLink {
      const watch = find(account, machine)
      if (watch) return watch.link()
      if (!consents.has(account, machine)) return off('no-consent')
      if (!hasRoom() && mayRun(account, machine)) return { kind: 'stopped', stop: tooMany }
      return off(deps.machine(account, machine) && awake ? 'not-running' : 'paused')
    },
    focus(account: AccountId, machine: string, looking: boolean): void {
      if (looking) focused.add(resourceKey(account, machine))
      else focused.delete(resourceKey(account, machine))
      find(account, machine)?.focus(looking)
    },
    isFocused: (account: AccountId, machine: string): boolean => focused.has(resourceKey(account, machine)),
    /** Nobody looks at any machine now. */
    blur(): void {
      for (const key of focused) watched.get(key)?.watch.focus(false)
      focused.clear()
    },
    /** Connects those that are not connected and of which `isMeant`: of one machine, or of all of the account (null). */
    reconnect({ account, machine }: ReachChange, isMeant: (link: SshLink) => boolean): void {
      for (const one of [...watched.values()]) {
        const isOne = one.account === account && (machine === null || one.machine === machine)
        if (isOne && one.watch.link().kind !== 'connected' && isMeant(one.watch.link())) one.watch.connect()
      }
    },
    /** Connections that are open now. */
    openConnections: (): number =>
      [...watched.values()].filter(({ watch }) => watch.connection() !== undefined).length,
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      settle()
    },
    close(): void {
      isClosed = true
      for (const { watch } of watched.values()) watch.close()
      watched.clear()
    },
  }
}
