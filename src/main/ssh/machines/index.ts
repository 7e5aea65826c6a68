import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshPurpose } from '#shared/bridge/ssh'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { machineState } from '#shared/service/machine-state'
import type { Clock } from '../../core/clock'
import { defineModule } from '../../core/module'
import type { Network } from '../../core/network'
import type { ReportError } from '../../core/report-error'
import type { Sections } from '../../store/settings'
import { openConnection } from '../client/connection'
import { connectionLimits, type ConnectionTarget, interactiveLimits } from '../client/target'
import type { SshConnection } from '../client/transport'
import { type FollowedMachines, followMachines } from '../follow-machines'
import type { Ssh } from '../index'
import { type AttemptOptions, createAttempts, type OpenConnection, sharesJumpHost } from './attempts'
import type { OpenConsents } from './consents'
import { type MachineLink, machineLink } from './machine-link'
import { sharedConnection } from './shared-connection'
import { openStops } from './stopped-machines'

export interface SshMachinesDeps extends FollowedMachines {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly ssh: Pick<Ssh, 'reach' | 'record' | 'onReachChange'>
  readonly consents: Pick<OpenConsents, 'has' | 'onChange'>
  /** Refused sign-ins outlive the application here. */
  readonly documents: Sections
  readonly clock: Clock
  readonly network: Pick<Network, 'onBack'>
  /** Between 0 and 1; `Math.random` if absent. */
  readonly random?: () => number
  readonly report: ReportError
  /** Seconds between two keep-alive packets, for an urgent use and otherwise; those of SSH connections if absent. */
  readonly keepAliveSeconds?: { readonly urgent: number; readonly calm: number }
  /** Opens connections; real ones if absent. */
  readonly open?: OpenConnection
  /** Machines that are connected to at once without a user who waits; `backgroundConnections` if absent. */
  readonly limit?: number
}

/** How one part of the application uses a machine's connection. Its answers may change: `SshLease.update` reads them anew. */
export interface LeaseUse {
  readonly account: AccountId
  readonly machine: string
  /** `action`: a command, a transfer or a forward that the user starts. It needs no consent. */
  readonly purpose: SshPurpose | 'action'
  /** Whether the user may be asked for what a sign-in needs. Otherwise the lease is in the background. */
  mayAsk(): boolean
  /** Whether the host key of a first contact is recorded without a question, as a terminal does. */
  trustsFirstKey(): boolean
  /** Whether a transfer, a command or a forward runs: a lost connection is then noticed within 20 seconds, otherwise 60. */
  isUrgent(): boolean
  /** The link has changed. */
  changed(): void
  /** A connection opened, or was open when the lease began. */
  opened(connection: SshConnection): void
  /** The connection that `opened` reported has ended. */
  closed(): void
}

/** One part's hold on the connection of a machine. */
export interface SshLease {
  link(): SshLink
  connection(): SshConnection | undefined
  /** The address and port of the machine as it was reached last. */
  target(): Pick<ConnectionTarget, 'host' | 'port'> | undefined
  /** Reads the answers of the use anew. */
  update(): void
  /** Connects now, because the user wants it: whatever was refused before. */
  retry(): void
  /** Records the key of a first contact if it has this fingerprint, and connects. */
  trust(fingerprint: string): Promise<boolean>
  release(): void
}

/** Machines that are connected to at once without a user who waits. */
const backgroundConnections = 100
/** Seconds that a connection stays open after the last lease of a user, for example between two tabs. */
const graceSeconds = 30
/** Seconds after its start in which a machine may still receive its keys. */
const startingSeconds = 15 * 60

/** Whether to connect to a machine. One of unknown state is tried: the service need not report one. */
export function mayRun(machine: MachineView | undefined): boolean {
  const state = machineState(machine?.status ?? null)
  return machine !== undefined && machine.address !== null && (state === 'running' || state === 'other')
}

/** The link of a machine that has no connection. */
export const unusedLink = (machine: MachineView | undefined): SshLink => ({
  kind: 'off',
  why: mayRun(machine) ? 'paused' : 'not-running',
})

interface Entry {
  readonly account: AccountId
  readonly machine: string
  readonly leases: Set<LeaseUse>
  /** Leases that wait for the user's consent: nothing is done for them. */
  readonly refused: Set<LeaseUse>
  link: MachineLink | undefined
  /** Address and user that the link was made for. */
  place: string
  connection: SshConnection | undefined
  /** What the last attempt could do: ask the user, record a first key. */
  last: { readonly mayAsk: boolean; readonly trusts: boolean }
  /** When the machine was seen to start, in epoch seconds. */
  startedAt: number
  wasRunning: boolean
  cancelGrace: () => void
}

/**
 * The one SSH connection to each machine that everything but terminals shares. `acquire` returns a lease: the connection
 * opens with the first lease and stays open while one lives. There is one first contact, one retry schedule and one state
 * for all leases. A lease without the user's consent is refused here and nowhere else: its link says `no-consent` until the
 * user allows its purpose.
 */
export function createSshMachines(deps: SshMachinesDeps) {
  const { clock, limit = backgroundConnections } = deps
  const keepAliveSeconds = deps.keepAliveSeconds ?? {
    urgent: interactiveLimits.keepAlive,
    calm: connectionLimits.keepAlive,
  }
  const open: OpenConnection =
    deps.open ?? ((target, signal) => openConnection(target, signal, interactiveLimits))
  const attempts = createAttempts(open, clock)
  const stops = openStops(deps.documents, deps.report)
  const entries = new Map<string, Entry>()
  /** Entries that have a connection or are opening one. */
  const occupied = new Set<Entry>()
  /** Entries that found no room. */
  const waitingForRoom = new Set<Entry>()
  let isAwake = true
  let isClosed = false
  const tooMany: Extract<SshStop, { kind: 'too-many' }> = { kind: 'too-many', limit }

  const isBackground = ({ leases }: Entry): boolean => ![...leases].some((use) => use.mayAsk())
  const isUrgent = ({ leases }: Entry): boolean => [...leases].some((use) => use.isUrgent())
  const trusts = ({ leases }: Entry): boolean => [...leases].some((use) => use.trustsFirstKey())
  const isOpenOrOpening = ({ link }: Entry): boolean =>
    link !== undefined && ['connecting', 'connected'].includes(link.link().kind)

  const isStartingUp = ({ account, machine, startedAt }: Entry): boolean => {
    const started = Math.max(deps.machine(account, machine)?.startedAt ?? 0, startedAt)
    return clock.now() - started < startingSeconds
  }
  const placeOf = ({ account, machine }: Entry): string => {
    const view = deps.machine(account, machine)
    return JSON.stringify([view?.address, view?.username])
  }

  function viewOf(entry: Entry): SshLink {
    if (entry.link) return entry.link.link()
    return unusedLink(deps.machine(entry.account, entry.machine))
  }
  const notify = ({ leases }: Entry): void => [...leases].forEach((use) => use.changed())

  /** Takes the room of a connection; false if there is none. A user who waits gets one in any case. */
  function occupy(entry: Entry): boolean {
    if (isBackground(entry) && !occupied.has(entry) && occupied.size >= limit) {
      waitingForRoom.add(entry)
      return false
    }
    waitingForRoom.delete(entry)
    occupied.add(entry)
    return true
  }
  function vacate(entry: Entry): void {
    if (!occupied.delete(entry) || isClosed) return
    for (const next of [...waitingForRoom].slice(0, limit - occupied.size)) next.link?.connect()
  }

  /** One success at a jump host wakes the other machines behind it. */
  function wakeOthers(entry: Entry): void {
    const target = entry.link?.target()
    if (target?.via === undefined) return
    for (const other of entries.values()) {
      const view = other.link?.link()
      const to = other.link?.target()
      const isRefused = view?.kind === 'stopped' && view.stop.kind === 'key-refused'
      if (other !== entry && isRefused && to && sharesJumpHost(target, to)) other.link?.connect()
    }
  }

  function setKeepAlive(entry: Entry): void {
    entry.connection?.setKeepAlive?.(keepAliveSeconds[isUrgent(entry) ? 'urgent' : 'calm'])
  }

  function linkOf(entry: Entry): MachineLink {
    const { account, machine } = entry
    const options = (isForced: boolean): AttemptOptions => ({ isForced, isBackground: isBackground(entry) })
    return machineLink({
      reach: async () => {
        if (!occupy(entry)) return tooMany
        entry.last = { mayAsk: !isBackground(entry), trusts: trusts(entry) }
        return deps.ssh.reach(account, machine, isBackground(entry))
      },
      open: (target, signal, isForced) => attempts.open(target, signal, options(isForced)),
      refused: attempts.refused,
      record: (key) => deps.ssh.record(account, machine, key),
      trustsFirstKey: () => trusts(entry),
      isStartingUp: () => isStartingUp(entry),
      changed() {
        stops.follow(account, machine, entry.place, viewOf(entry))
        notify(entry)
        if (!isOpenOrOpening(entry)) vacate(entry)
      },
      opened(primary) {
        entry.connection = sharedConnection(primary, {
          clock,
          openSecond: async (signal) => {
            const reach = await deps.ssh.reach(account, machine, true)
            if (reach.kind !== 'reachable') return undefined
            const outcome = await attempts.open(reach.target, signal, {
              isBackground: false,
              isForced: false,
            })
            return outcome.kind === 'connected' ? outcome.connection : undefined
          },
        })
        setKeepAlive(entry)
        wakeOthers(entry)
        const { connection } = entry
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

  function begin(entry: Entry, isForced: boolean): void {
    const { account, machine } = entry
    entry.place = placeOf(entry)
    // A stop of an earlier run holds for the background: a user who opens a tab gets an attempt.
    const stop = isForced || !isBackground(entry) ? undefined : stops.of(account, machine, entry.place)
    entry.link = linkOf(entry)
    if (stop) entry.link.stop(stop)
    else entry.link.connect(isForced)
  }

  function end(entry: Entry): void {
    entry.cancelGrace()
    const { link } = entry
    entry.link = undefined
    link?.close()
    waitingForRoom.delete(entry)
    vacate(entry)
  }

  /** A lease can do more than the last attempt could, and that may help. */
  function mayHelp(entry: Entry): boolean {
    const { kind } = viewOf(entry)
    if (kind === 'host-key-unknown' && trusts(entry) && !entry.last.trusts) return true
    return !['connecting', 'connected'].includes(kind) && !isBackground(entry) && !entry.last.mayAsk
  }

  function settle(entry: Entry, isForced = false): void {
    if (isClosed) return
    const machine = deps.machine(entry.account, entry.machine)
    const runs = mayRun(machine)
    if (runs && !entry.wasRunning) entry.startedAt = clock.now()
    entry.wasRunning = runs
    // What a transfer copied to a machine that is gone is still removed.
    const stays = isAwake && (runs || (machine === undefined && entry.connection !== undefined))
    if (entry.link && (!stays || (machine && entry.place !== placeOf(entry)))) {
      end(entry)
      notify(entry)
    }
    const isReady = stops.isReady() || !isBackground(entry)
    if (entry.leases.size === 0 || !stays || !isReady) return
    if (!entry.link) begin(entry, isForced)
    else if (isForced) entry.link.connect(true)
    else if (mayHelp(entry)) entry.link.connect()
    setKeepAlive(entry)
  }
  function settleAll(): void {
    for (const entry of Array.from(entries.values())) settle(entry)
  }
  if (!stops.isReady()) void stops.ready().then(settleAll)

  function entryOf(account: AccountId, machine: string): Entry {
    const key = resourceKey(account, machine)
    const entry = entries.get(key) ?? {
      account,
      machine,
      leases: new Set<LeaseUse>(),
      refused: new Set<LeaseUse>(),
      link: undefined,
      place: '',
      connection: undefined,
      last: { mayAsk: false, trusts: false },
      startedAt: 0,
      wasRunning: true,
      cancelGrace: () => undefined,
    }
    entries.set(key, entry)
    return entry
  }

  function forgetUnused(entry: Entry): void {
    if (entry.leases.size === 0 && entry.refused.size === 0)
      entries.delete(resourceKey(entry.account, entry.machine))
  }

  function release(entry: Entry, use: LeaseUse): void {
    if (entry.refused.delete(use)) {
      if (!entry.connection) forgetUnused(entry)
      return
    }
    if (!entry.leases.delete(use)) return
    if (entry.leases.size > 0) return settle(entry)
    const drop = (): void => {
      end(entry)
      forgetUnused(entry)
    }
    entry.cancelGrace()
    const runs = mayRun(deps.machine(entry.account, entry.machine))
    // Only a user comes back, and a connection that nothing needs is not reopened.
    if (isClosed || !entry.connection || !runs || !use.mayAsk()) drop()
    else entry.cancelGrace = clock.after(graceSeconds, drop)
  }

  const isAllowed = ({ account, machine, purpose }: LeaseUse): boolean =>
    purpose === 'action' || deps.consents.has(account, machine, purpose)

  function admit(entry: Entry, use: LeaseUse): void {
    entry.cancelGrace()
    entry.leases.add(use)
    const { connection } = entry
    if (connection)
      queueMicrotask(() => {
        if (entry.leases.has(use) && entry.connection === connection) use.opened(connection)
      })
    settle(entry)
  }

  /** Admits and refuses leases after a change of the user's consent. A connection without a lease closes at once. */
  function reviewConsents(entry: Entry): void {
    const [granted, withdrawn] = [
      [...entry.refused].filter(isAllowed),
      Array.from(entry.leases).filter((use) => !isAllowed(use)),
    ]
    for (const use of withdrawn) {
      entry.leases.delete(use)
      entry.refused.add(use)
      if (entry.connection) use.closed()
    }
    for (const use of granted) {
      entry.refused.delete(use)
      admit(entry, use)
    }
    if (entry.leases.size === 0) end(entry)
    settle(entry)
    for (const use of [...granted, ...withdrawn]) use.changed()
  }

  function acquire(use: LeaseUse): SshLease {
    const entry = entryOf(use.account, use.machine)
    if (isAllowed(use)) admit(entry, use)
    else entry.refused.add(use)
    const isHeld = (): boolean => entry.leases.has(use)
    return {
      link: () => (entry.refused.has(use) ? { kind: 'off', why: 'no-consent' } : viewOf(entry)),
      connection: () => (isHeld() ? entry.connection : undefined),
      target: () => entry.link?.target(),
      update: () => {
        if (isHeld()) settle(entry)
      },
      retry(): void {
        if (!isHeld()) return
        stops.drop(use.account, use.machine)
        settle(entry, true)
      },
      trust: async (fingerprint) => (isHeld() && (await entry.link?.trust(fingerprint))) || false,
      release: () => release(entry, use),
    }
  }

  const unfollow = followMachines(deps, {
    kept: () => entries.values(),
    settle: settleAll,
    forget(account, gone) {
      for (const entry of entries.values())
        if (entry.account === account && gone(entry.machine)) stops.drop(account, entry.machine)
    },
  })

  const unfollowConsents = deps.consents.onChange(({ account, machines }) => {
    for (const entry of Array.from(entries.values()))
      if (entry.account === account && machines?.includes(entry.machine) !== false) reviewConsents(entry)
  })

  const unsubscribe = deps.ssh.onReachChange(({ account, machine }) => {
    stops.drop(account, machine)
    for (const entry of entries.values())
      if (entry.account === account && (machine ?? entry.machine) === entry.machine) settle(entry, true)
  })

  return defineModule({
    handlers: {},
    events: {},
    acquire,
    /**
     * Runs `use`, an action of the user, over the connection to a machine. Opens no connection: resolves to null if none
     * is open now.
     */
    async ifConnected<Value>(
      account: AccountId,
      machine: string,
      use: (connection: SshConnection) => Promise<Value>,
    ): Promise<Value | null> {
      const connection = entries.get(resourceKey(account, machine))?.connection
      if (!connection) return null
      const lease = acquire({
        account,
        machine,
        purpose: 'action',
        mayAsk: () => true,
        trustsFirstKey: () => false,
        isUrgent: () => false,
        changed: () => undefined,
        opened: () => undefined,
        closed: () => undefined,
      })
      try {
        return await use(connection)
      } finally {
        lease.release()
      }
    },
    /** Connections that are open now. */
    openConnections: (): number =>
      Array.from(entries.values()).filter(({ connection }) => connection !== undefined).length,
    wakeChanged(awake: boolean): void {
      isAwake = awake
      settleAll()
    },
    forgetAccount(account: AccountId): void {
      stops.drop(account, null)
      for (const [key, entry] of entries) if (isKeyOf(account, key)) settle(entry)
    },
    close(): void {
      isClosed = true
      unfollow()
      unfollowConsents()
      unsubscribe()
      for (const entry of Array.from(entries.values())) end(entry)
      entries.clear()
    },
  })
}
export type SshMachines = ReturnType<typeof createSshMachines>
