import type { MachineView } from '#shared/bridge/fleet'
import type { AccountId } from '#shared/bridge/account'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import type { Clock } from '../../core/clock'
import type { Network } from '../../core/network'
import type { ReportError } from '../../core/report-error'
import type { Sections } from '../../store/settings'
import { openConnection } from '../client/connection'
import { connectionLimits, interactiveLimits } from '../client/target'
import type { SshConnection } from '../client/transport'
import type { Ssh } from '../index'
import { createAttempts, type OpenConnection, sharesJumpHost } from './attempts'
import { mayRun, unusedLink } from './lease'
import {
  connectionRoom,
  isBackground,
  isUrgent,
  type MachineEntry,
  mayWait,
  notify,
  trusts,
} from './machine-entry'
import { type MachineLink, machineLink } from './machine-link'
import { sharedConnection } from './shared-connection'
import { openStops } from './stopped-machines'

export interface MachineLinksDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly ssh: Pick<Ssh, 'reach' | 'record'>
  /** Stores refused sign-ins beyond the run of the application. */
  readonly documents: Sections
  readonly clock: Clock
  readonly network: Pick<Network, 'onBack'>
  /** Between 0 and 1; `Math.random` if absent. */
  readonly random?: () => number
  readonly report: ReportError
  /** Seconds between two keep-alive packets, with and without an urgent use; the usual limits if absent. */
  readonly keepAliveSeconds?: { readonly urgent: number; readonly calm: number }
  /** Opens connections; real ones if absent. */
  readonly open?: OpenConnection
  /** Machines that connect at once without a user who waits; `backgroundConnections` if absent. */
  readonly limit?: number
}

/** Machines that are connected at once without a user who waits. */
const backgroundConnections = 100
/** Time after its start in which a machine may still receive its keys. */
const startingSeconds = 15 * 60

/** Builds the links of machines. `entries`: all machines. */
function linkFactory(deps: MachineLinksDeps, entries: ReadonlyMap<string, MachineEntry>) {
  const { clock } = deps
  const open: OpenConnection =
    deps.open ?? ((target, signal) => openConnection(target, signal, interactiveLimits))
  const attempts = createAttempts(open, clock)
  const stops = openStops(deps.documents, deps.report)
  const limit = deps.limit ?? backgroundConnections
  const tooMany: Extract<SshStop, { kind: 'too-many' }> = { kind: 'too-many', limit }
  const room = connectionRoom(limit, clock, ({ link }) => link?.stop(tooMany))
  const keepAliveSeconds = deps.keepAliveSeconds ?? {
    urgent: interactiveLimits.keepAlive,
    calm: connectionLimits.keepAlive,
  }

  const isStartingUp = ({ account, machine, startedAt }: MachineEntry): boolean => {
    const started = Math.max(deps.machine(account, machine)?.startedAt ?? 0, startedAt)
    return clock.now() - started < startingSeconds
  }
  const viewOf = ({ link, account, machine }: MachineEntry): SshLink =>
    link ? link.link() : unusedLink(deps.machine(account, machine))
  const isOpenOrOpening = ({ link }: MachineEntry): boolean =>
    link !== undefined && ['connecting', 'connected'].includes(link.link().kind)

  /** Retries machines behind the same jump host, since it has accepted a sign-in. */
  function wakeOthers(entry: MachineEntry): void {
    const target = entry.link?.target()
    if (target?.via === undefined) return
    for (const candidate of entries.values()) {
      const view = candidate.link?.link()
      const to = candidate.link?.target()
      const isRefused = view?.kind === 'stopped' && view.stop.kind === 'key-refused'
      if (candidate !== entry && isRefused && to && sharesJumpHost(target, to)) candidate.link?.connect()
    }
  }

  function setKeepAlive(entry: MachineEntry): void {
    entry.connection?.setKeepAlive?.(keepAliveSeconds[isUrgent(entry) ? 'urgent' : 'calm'])
  }

  async function openSecond(
    { account, machine }: MachineEntry,
    signal: AbortSignal,
  ): Promise<SshConnection | undefined> {
    const reach = await deps.ssh.reach(account, machine, true)
    if (reach.kind !== 'reachable') return undefined
    const outcome = await attempts.open(reach.target, signal, { isBackground: false, isForced: false })
    return outcome.kind === 'connected' ? outcome.connection : undefined
  }

  function linkOf(entry: MachineEntry): MachineLink {
    const { account, machine } = entry
    return machineLink({
      reach: async () => {
        if (!room.occupy(entry)) return tooMany
        entry.last = { mayAsk: !isBackground(entry), trusts: trusts(entry) }
        return deps.ssh.reach(account, machine, isBackground(entry))
      },
      open: (target, signal, isForced) =>
        attempts.open(target, signal, { isForced, isBackground: isBackground(entry) }),
      refused: attempts.refused,
      record: (key) => deps.ssh.record(account, machine, key),
      trustsFirstKey: () => trusts(entry),
      isStartingUp: () => isStartingUp(entry),
      changed() {
        stops.follow(account, machine, entry.place, viewOf(entry))
        notify(entry)
        if (!isOpenOrOpening(entry)) room.vacate(entry)
      },
      opened(primary) {
        const connection = sharedConnection(primary, {
          clock,
          openSecond: (signal) => openSecond(entry, signal),
        })
        entry.connection = connection
        room.opened(entry)
        setKeepAlive(entry)
        wakeOthers(entry)
        for (const use of Array.from(entry.leases)) use.opened(connection)
      },
      closed() {
        entry.connection?.close()
        entry.connection = undefined
        for (const use of Array.from(entry.leases)) use.closed()
      },
      clock,
      network: deps.network,
      random: deps.random ?? Math.random,
      report: deps.report,
    })
  }

  return { linkOf, viewOf, setKeepAlive, stops, room }
}

/** Opens and closes the links of machines, as their leases and states require. */
export function createMachineLinks(deps: MachineLinksDeps, entries: ReadonlyMap<string, MachineEntry>) {
  const { linkOf, viewOf, setKeepAlive, stops, room } = linkFactory(deps, entries)
  let isAwake = true
  let isClosed = false

  const placeOf = ({ account, machine }: MachineEntry): string => {
    const view = deps.machine(account, machine)
    return JSON.stringify([view?.address, view?.username])
  }

  function begin(entry: MachineEntry, isForced: boolean): void {
    const { account, machine } = entry
    entry.place = placeOf(entry)
    // A stop of an earlier run applies in the background only: a user who opens a tab gets an attempt.
    const stop = isForced || !isBackground(entry) ? undefined : stops.of(account, machine, entry.place)
    entry.link = linkOf(entry)
    if (stop) entry.link.stop(stop)
    else entry.link.connect(isForced)
  }

  function end(entry: MachineEntry): void {
    entry.cancelGrace()
    const { link } = entry
    entry.link = undefined
    link?.close()
    room.leave(entry)
    room.vacate(entry)
  }

  /** Whether a lease allows more than the last attempt could do, so that another one may succeed. */
  function mayHelp(entry: MachineEntry): boolean {
    const { kind } = viewOf(entry)
    if (kind === 'host-key-unknown' && trusts(entry) && !entry.last.trusts) return true
    return !['connecting', 'connected'].includes(kind) && !isBackground(entry) && !entry.last.mayAsk
  }

  function settle(entry: MachineEntry, isForced = false): void {
    if (isClosed) return
    const machine = deps.machine(entry.account, entry.machine)
    const runs = mayRun(machine)
    if (runs && !entry.wasRunning) entry.startedAt = deps.clock.now()
    entry.wasRunning = runs
    // A transfer still removes its copies from a machine that is no longer listed.
    const stays = isAwake && (runs || (machine === undefined && entry.connection !== undefined))
    if (entry.link && (!stays || (machine && entry.place !== placeOf(entry)))) {
      end(entry)
      notify(entry)
    }
    const isReady = stops.isReady() || !isBackground(entry)
    if (entry.leases.size === 0 || !stays || !isReady) return
    if (!entry.link) begin(entry, isForced)
    else if (isForced) entry.link.connect(true)
    else if (mayHelp(entry) || (room.isWaiting(entry) && !mayWait(entry))) entry.link.connect()
    setKeepAlive(entry)
  }
  function settleAll(): void {
    for (const entry of Array.from(entries.values())) settle(entry)
  }
  if (!stops.isReady()) void stops.ready().then(settleAll)

  return {
    viewOf,
    /** Brings a link in line with the leases and the machine. `isForced`: the user wants an attempt now. */
    settle,
    settleAll,
    end,
    /** Drops the stored stop of a machine, or all stops of the account (null). */
    dropStop: stops.drop,
    isClosed: (): boolean => isClosed,
    wakeChanged(awake: boolean): void {
      isAwake = awake
      settleAll()
    },
    close(): void {
      isClosed = true
      room.close()
      for (const entry of Array.from(entries.values())) end(entry)
    },
  }
}
export type MachineLinks = ReturnType<typeof createMachineLinks>
