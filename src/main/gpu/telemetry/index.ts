import pLimit from 'p-limit'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuLink, gpuCalls, GpuReading, GpuView } from '#shared/bridge/gpu'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { machineState } from '#shared/service/machine-state'
import type { Clock } from '../../core/clock'
import { createEmitter } from '../../core/emitter'
import type { ReportError } from '../../core/report-error'
import { resourceKey } from '#shared/resource-key'
import type { Sections } from '../../store/settings'
import { openConsents } from './consents'
import { openStops } from './stops'
import { type ConnectionOutcome, type ConnectionTarget, openConnection } from '../../ssh/client/connection'
import type { SshConnection } from '../../ssh/client/transport'
import { type MachineWatch, machineWatch } from './machine-watch'
import type { ReachChange, Ssh } from '../../ssh/index'
import { createSampling, type SamplingDeps, thinEvery } from './sampling'

export interface TelemetryDeps {
  readonly settings: Sections
  readonly documents: Sections
  readonly store: SamplingDeps['store']
  machine(account: AccountId, id: string): MachineView | undefined
  reach: Ssh['reach']
  record: Ssh['record']
  readonly clock: Clock
  /** Between 0 and 1. */
  random(): number
  readonly report: ReportError
  /** Opens connections; real ones where absent. */
  readonly open?: (target: ConnectionTarget, signal: AbortSignal) => Promise<ConnectionOutcome>
}

/** Machines that are watched at once, and connections that are being opened at once. */
const watchedAtOnce = 100
const openedAtOnce = 4
/** Seconds after the start before old samples are thinned: there is more to do then. */
const firstThinning = 120

const cancelled: ConnectionOutcome = { kind: 'not-reached', reason: 'ECONNABORTED' }

/** The GPUs of a machine as they were read at `at` (epoch seconds). */
export interface MachineReading {
  readonly account: AccountId
  readonly machine: string
  readonly gpus: readonly GpuReading[]
  readonly at: number
}

interface Watched {
  readonly account: AccountId
  readonly machine: string
  /** Address and user that the connection was made for; with others it is made anew. */
  readonly place: string
  readonly watch: MachineWatch
}

/** GPU telemetry of all machines that the person has agreed to, over one SSH connection each. */
export function createTelemetry(deps: TelemetryDeps) {
  const { clock } = deps
  const consents = openConsents(deps.settings)
  const sampling = createSampling(deps)
  const limitOpening = pLimit(openedAtOnce)
  const open = deps.open ?? openConnection
  const watched = new Map<string, Watched>()
  const stops = openStops(deps.documents, deps.report)
  const focused = new Set<string>()
  const changes = createEmitter<GpuView>()
  const readings = createEmitter<MachineReading>()
  /** The last event of each machine, as text. */
  const emitted = new Map<string, string>()
  let awake = true
  let isClosed = false

  const off = (why: Extract<GpuLink, { kind: 'off' }>['why']): GpuLink => ({ kind: 'off', why })

  function linkOf(account: AccountId, machine: string): GpuLink {
    const one = watched.get(resourceKey(account, machine))
    if (one) return one.watch.link()
    if (!consents.has(account, machine)) return off('no-consent')
    if (watched.size >= watchedAtOnce && mayRun(account, machine))
      return { kind: 'stopped', stop: { kind: 'too-many', limit: watchedAtOnce } }
    const known = deps.machine(account, machine)
    return off(known && awake ? 'not-running' : 'paused')
  }

  const view = (account: AccountId, machine: string): GpuView => {
    const one = watched.get(resourceKey(account, machine))
    return {
      account,
      machine,
      consent: consents.has(account, machine),
      link: linkOf(account, machine),
      report: one?.watch.report() ?? null,
      at: one?.watch.at() ?? null,
    }
  }

  function emitChange(account: AccountId, machine: string): void {
    const next = view(account, machine)
    const text = JSON.stringify(next)
    const key = resourceKey(account, machine)
    if (emitted.get(key) === text) return
    emitted.set(key, text)
    changes.emit(next)
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
      reach: () => deps.reach(account, machine),
      // Consent may have been withdrawn while the connection waited for others.
      open: (target, signal) =>
        limitOpening(() => (signal.aborted ? Promise.resolve(cancelled) : open(target, signal))),
      record: (key) => deps.record(account, machine, key),
      changed: () => {
        stops.follow(account, machine, place, watch.link())
        emitChange(account, machine)
      },
      read: (report, at) => {
        if (report.kind !== 'gpus') return
        sampling.add(account, machine, report.gpus, at)
        readings.emit({ account, machine, gpus: report.gpus, at })
      },
      clock,
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
    watch.close()
    watched.delete(resourceKey(account, machine))
    emitChange(account, machine)
  }

  /** Connects running machines with consent, and disconnects all others. To be called when machines change. */
  function settle(): void {
    if (isClosed || !stops.isReady()) return
    for (const one of [...watched.values()]) {
      const { account, machine, place } = one
      const stays = awake && consents.has(account, machine) && mayRun(account, machine)
      if (!stays || place !== placeOf(account, machine)) end(one)
    }
    for (const account of awake ? consents.accounts() : []) {
      for (const machine of consents.of(account)) {
        if (watched.size >= watchedAtOnce) return
        if (!watched.has(resourceKey(account, machine)) && mayRun(account, machine)) begin(account, machine)
      }
    }
  }

  if (!stops.isReady()) void stops.ready().then(settle)

  const checkKnown = (account: AccountId, machine: string): void => {
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
  }

  let cancelThinning = (): void => undefined
  /** In small steps while much is left to do: each blocks the main process a little. */
  function thin(): void {
    const more = sampling.thin(clock.now())
    cancelThinning = clock.after(more ? 1 : thinEvery, thin)
  }
  cancelThinning = clock.after(firstThinning, thin)

  const handlers: HandlersOf<typeof gpuCalls> = {
    'gpu.state': ({ account, machine }) => view(account, machine),
    'gpu.consent': async ({ account, machine, consent }) => {
      checkKnown(account, machine)
      const written = consent ? consents.give(account, machine) : consents.withdraw(account, [machine])
      settle()
      if (!consent) {
        stops.drop(account, machine)
        sampling.forget(account, [machine])
      }
      emitChange(account, machine)
      await written
      return view(account, machine)
    },
    'gpu.look': ({ account, machine, looking }) => {
      if (looking) focused.add(resourceKey(account, machine))
      else focused.delete(resourceKey(account, machine))
      watched.get(resourceKey(account, machine))?.watch.focus(looking)
      return view(account, machine)
    },
    'gpu.retry': ({ account, machine }) => {
      stops.drop(account, machine)
      watched.get(resourceKey(account, machine))?.watch.connect()
      return view(account, machine)
    },
    'gpu.trustHostKey': async ({ account, machine, fingerprint }) => {
      const one = watched.get(resourceKey(account, machine))
      if (!(await one?.watch.trust(fingerprint)))
        throw new FailureError({ kind: 'invalid-input', field: 'hostKey', reason: 'unknown' })
      return view(account, machine)
    },
    'gpu.history': ({ account, machine, seconds }) =>
      sampling.history(account, machine, seconds, clock.now()),
  }

  return {
    handlers,
    /** What is known of a machine now. */
    view,
    /** The highest utilization of any GPU per minute since `from`; null where one had none. Oldest first. */
    busiest: sampling.busiest,
    onChange: changes.on,
    onReading: readings.on,
    settle,
    /** Tries again what was stopped: how a machine is reached has changed, or all machines of the account (null). */
    retryStopped({ account, machine }: ReachChange): void {
      const isMeant = (one: Pick<Watched, 'account' | 'machine'>): boolean =>
        one.account === account && (machine === null || one.machine === machine)
      stops.drop(account, machine)
      for (const one of watched.values())
        if (isMeant(one) && one.watch.link().kind !== 'connected') one.watch.connect()
    },
    /** The connection to a machine, where one is open now. */
    connection: (account: AccountId, machine: string): SshConnection | undefined =>
      watched.get(resourceKey(account, machine))?.watch.connection(),
    /** Connections that are open now. */
    openConnections: (): number =>
      [...watched.values()].filter(({ watch }) => watch.connection() !== undefined).length,
    windowChanged(isOpen: boolean): void {
      if (isOpen) return
      for (const key of focused) watched.get(key)?.watch.focus(false)
      focused.clear()
    },
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      settle()
    },
    /** Removes what is kept of machines that are gone for good. Fails with local-fault. */
    async forget(account: AccountId, machines: readonly string[]): Promise<void> {
      if (!machines.some((machine) => consents.has(account, machine))) return
      const written = consents.withdraw(account, machines)
      settle()
      for (const machine of machines) stops.drop(account, machine)
      sampling.forget(account, machines)
      await written
    },
    async forgetAccount(account: AccountId): Promise<void> {
      const written = consents.forgetAccount(account)
      settle()
      stops.drop(account, null)
      sampling.forgetAccount(account)
      await written
    },
    close(): void {
      isClosed = true
      cancelThinning()
      for (const { watch } of watched.values()) watch.close()
      watched.clear()
      sampling.flush()
    },
  }
}
