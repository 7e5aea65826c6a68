import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuLink, gpuCalls, GpuReading, GpuStop, GpuView } from '#shared/bridge/gpu'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { machineState } from '#shared/service/machine-state'
import type { SettingsStore } from '../../store/settings'
import { openConsents } from './consents'
import { type ConnectionOutcome, type ConnectionTarget, openConnection } from '../../ssh/client/connection'
import { gate } from '../../core/semaphore'
import { type MachineWatch, machineWatch } from './machine-watch'
import type { Ssh } from '../../ssh/index'
import { createSampling, type SamplingDeps, thinEvery } from './sampling'
import type { HostKey } from '../../ssh/client/host-key'

export interface TelemetryDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  readonly store: SamplingDeps['store']
  machine(account: AccountId, id: string): MachineView | undefined
  /** Where a machine is and which keys to offer it, as a terminal would be told. */
  reach: Ssh['reach']
  record(account: AccountId, machine: string, key: HostKey): Promise<void>
  /** GPUs were read. */
  read?(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void
  /** Epoch seconds. */
  now(): number
  after(seconds: number, task: () => void): () => void
  /** Between 0 and 1. */
  chance(): number
  report(action: string, error: unknown): void
  /** Opens connections; real ones where absent. */
  readonly open?: (target: ConnectionTarget, signal: AbortSignal) => Promise<ConnectionOutcome>
}

/** Machines that are watched at once, and connections that are being opened at once. */
export const watchedAtOnce = 100
const openedAtOnce = 4
/** Seconds after the start before old samples are thinned: there is more to do then. */
const firstThinning = 120

/** Of a connection that nobody waits for any more. */
const calledOff: ConnectionOutcome = { kind: 'not-reached', reason: 'ECONNABORTED' }

const keyOf = (account: AccountId, machine: string): string => `${account}/${machine}`

interface Watched {
  readonly account: AccountId
  readonly machine: string
  /** What the connection was made for; another address asks for another one. */
  readonly place: string
  readonly watch: MachineWatch
}

/** A stop that outlives its watch: what the machine said no to is not tried again because the computer woke up. */
interface KeptStop {
  readonly account: AccountId
  readonly machine: string
  readonly place: string
  readonly stop: GpuStop
}
/** Stops whose cause lies here, such as a file that is missing, cost the machine nothing: they are looked at anew. */
const isKept = ({ kind }: GpuStop): boolean => kind === 'key-refused' || kind === 'host-key-changed'

/** GPU telemetry of all machines that the person has agreed to, over one SSH connection each. */
export function createTelemetry(deps: TelemetryDeps) {
  const { now, after } = deps
  const consents = openConsents(deps.settings)
  const sampling = createSampling(deps)
  const takeTurn = gate(openedAtOnce)
  const open = deps.open ?? openConnection
  const watched = new Map<string, Watched>()
  const stops = new Map<string, KeptStop>()
  const looked = new Set<string>()
  const listeners = new Set<(view: GpuView) => void>()
  const shown = new Map<string, string>()
  let awake = true
  let ended = false

  const off = (why: Extract<GpuLink, { phase: 'off' }>['why']): GpuLink => ({ phase: 'off', why })

  function linkOf(account: AccountId, machine: string): GpuLink {
    const one = watched.get(keyOf(account, machine))
    if (one) return one.watch.link()
    if (!consents.has(account, machine)) return off('no-consent')
    if (watched.size >= watchedAtOnce && mayRun(account, machine))
      return { phase: 'stopped', stop: { kind: 'too-many', limit: watchedAtOnce } }
    const known = deps.machine(account, machine)
    return off(known && awake ? 'not-running' : 'paused')
  }

  const view = (account: AccountId, machine: string): GpuView => {
    const one = watched.get(keyOf(account, machine))
    return {
      account,
      machine,
      consent: consents.has(account, machine),
      link: linkOf(account, machine),
      report: one?.watch.report() ?? null,
      at: one?.watch.at() ?? null,
    }
  }

  function tell(account: AccountId, machine: string): void {
    const next = view(account, machine)
    const text = JSON.stringify(next)
    const key = keyOf(account, machine)
    if (shown.get(key) === text) return
    shown.set(key, text)
    listeners.forEach((listener) => listener(next))
  }

  /** A machine that says nothing about its state is tried: the service need not tell one. */
  function mayRun(account: AccountId, machine: string): boolean {
    const known = deps.machine(account, machine)
    if (!known) return false
    const state = machineState(known.status)
    return known.address !== null && (state === 'running' || state === 'other')
  }

  const placeOf = (account: AccountId, machine: string): string =>
    JSON.stringify([deps.machine(account, machine)?.address, deps.machine(account, machine)?.username])

  function begin(account: AccountId, machine: string): void {
    const watch = machineWatch({
      reach: () => deps.reach(account, machine),
      // The person may have taken their word back while the machine waited for its turn.
      open: (target, signal) =>
        takeTurn(() => (signal.aborted ? Promise.resolve(calledOff) : open(target, signal))),
      record: (key) => deps.record(account, machine, key),
      changed: () => tell(account, machine),
      read: (report, at) => {
        if (report.kind !== 'gpus') return
        sampling.add(account, machine, report.gpus, at)
        deps.read?.(account, machine, report.gpus, at)
      },
      now,
      after,
      chance: () => deps.chance(),
      report: (action, error) => deps.report(action, error),
    })
    const key = keyOf(account, machine)
    const place = placeOf(account, machine)
    const kept = stops.get(key)
    stops.delete(key)
    watched.set(key, { account, machine, place, watch })
    watch.look(looked.has(key))
    if (kept?.place === place) watch.stop(kept.stop)
    else watch.connect()
  }

  function end({ account, machine, place, watch }: Watched): void {
    const link = watch.link()
    if (link.phase === 'stopped' && isKept(link.stop))
      stops.set(keyOf(account, machine), { account, machine, place, stop: link.stop })
    watch.close()
    watched.delete(keyOf(account, machine))
    tell(account, machine)
  }

  /** Brings what is connected in line with what the person agreed to and what runs. */
  function settle(): void {
    if (ended) return
    for (const one of [...watched.values()]) {
      const { account, machine, place } = one
      const stays = awake && consents.has(account, machine) && mayRun(account, machine)
      if (!stays || place !== placeOf(account, machine)) end(one)
    }
    for (const [key, { account, machine }] of stops) if (!consents.has(account, machine)) stops.delete(key)
    for (const account of awake ? consents.accounts() : []) {
      for (const machine of consents.of(account)) {
        if (watched.size >= watchedAtOnce) return
        if (!watched.has(keyOf(account, machine)) && mayRun(account, machine)) begin(account, machine)
      }
    }
  }

  const known = (account: AccountId, machine: string): void => {
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
  }

  let callOffThinning = (): void => undefined
  /** At once while much is left to do, but in turns of its own: each blocks the main process a little. */
  function thin(): void {
    const more = sampling.thin(now())
    callOffThinning = after(more ? 1 : thinEvery, thin)
  }
  callOffThinning = after(firstThinning, thin)

  const handlers: HandlersOf<typeof gpuCalls> = {
    'gpu.state': ({ account, machine }) => view(account, machine),
    'gpu.consent': async ({ account, machine, consent }) => {
      known(account, machine)
      const written = consent ? consents.give(account, machine) : consents.withdraw(account, [machine])
      settle()
      if (!consent) sampling.forget(account, [machine])
      tell(account, machine)
      await written
      return view(account, machine)
    },
    'gpu.look': ({ account, machine, looking }) => {
      if (looking) looked.add(keyOf(account, machine))
      else looked.delete(keyOf(account, machine))
      watched.get(keyOf(account, machine))?.watch.look(looking)
      return view(account, machine)
    },
    'gpu.retry': ({ account, machine }) => {
      stops.delete(keyOf(account, machine))
      watched.get(keyOf(account, machine))?.watch.connect()
      return view(account, machine)
    },
    'gpu.trustHostKey': async ({ account, machine, fingerprint }) => {
      const one = watched.get(keyOf(account, machine))
      if (!(await one?.watch.trust(fingerprint)))
        throw new FailureError({ kind: 'invalid-input', field: 'hostKey', reason: 'unknown' })
      return view(account, machine)
    },
    'gpu.history': ({ account, machine, seconds }) => sampling.history(account, machine, seconds, now()),
  }

  return {
    handlers,
    /** What is known of a machine now. */
    view,
    /** The highest utilization of any GPU per minute since `from`; null where one told none. Oldest first. */
    busiest: sampling.busiest,
    onChange(listener: (view: GpuView) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** To be called when machines came, went, started, stopped or moved. */
    settle,
    /** How the machine is reached has changed: what was stopped is tried again. */
    retry(account: AccountId, machine: string | null): void {
      const isMeant = (one: Pick<Watched, 'account' | 'machine'>): boolean =>
        one.account === account && (machine === null || one.machine === machine)
      for (const [key, one] of stops) if (isMeant(one)) stops.delete(key)
      for (const one of watched.values())
        if (isMeant(one) && one.watch.link().phase !== 'connected') one.watch.connect()
    },
    /** Connections that are open now. */
    openConnections: (): number => [...watched.values()].filter(({ watch }) => watch.isOpen()).length,
    windowChanged(isOpen: boolean): void {
      if (isOpen) return
      for (const key of looked) watched.get(key)?.watch.look(false)
      looked.clear()
    },
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      settle()
    },
    /** Machines that are gone for good. Fails with local-fault. */
    async forget(account: AccountId, machines: readonly string[]): Promise<void> {
      if (!machines.some((machine) => consents.has(account, machine))) return
      const written = consents.withdraw(account, machines)
      settle()
      sampling.forget(account, machines)
      await written
    },
    async forgetAccount(account: AccountId): Promise<void> {
      const written = consents.forgetAccount(account)
      settle()
      sampling.forgetAccount(account)
      await written
    },
    close(): void {
      ended = true
      callOffThinning()
      for (const { watch } of watched.values()) watch.close()
      watched.clear()
      sampling.flush()
    },
  }
}
export type Telemetry = ReturnType<typeof createTelemetry>
