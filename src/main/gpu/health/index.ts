import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import type { healthCalls, HealthView } from '#shared/bridge/health'
import type { HandlersOf } from '#shared/bridge/index'
import { createEmitter } from '#shared/emitter'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { machineState } from '#shared/service/machine-state'
import type { FoundAlert } from '../../alerts/index'
import type { Clock } from '../../core/clock'
import type { ExecOutcome } from '../../ssh/client/transport'
import { type DiskSample, fullIn, healthFacts, healthScript, rateSeconds } from './health-facts'

export interface HealthDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly alerts: {
    standing(account: AccountId): readonly AlertCause[]
    check(account: AccountId, found: readonly FoundAlert[]): void
  }
  readonly clock: Clock
}

type Exec = (script: string) => Promise<ExecOutcome>

/** Pauses in seconds. The first reading waits for the GPUs, which the user looks at. */
const pauseSeconds = { first: 5, next: 300 } as const
/** Age in seconds after which a reading neither begins nor ends an alert. */
const maxAgeSeconds = 3 * pauseSeconds.next
/** Used share of a disk, and seconds until it is full, from which the user is alerted. */
const diskLimits = { share: 0.9, seconds: 6 * 3_600 } as const
/** Time in seconds for which a running machine may be unreachable without an alert. */
const unreachableSeconds = 600

interface Watched {
  readonly account: AccountId
  readonly machine: string
  cancel(): void
  samples: readonly DiskSample[]
  view: HealthView | null
  isHot: boolean
  /** Epoch seconds since which the machine runs and cannot be reached; null: reached, or not running. */
  unreachableSince: number | null
}

/** Machines with a recent reading, and machines that are not reached now. */
interface Reached {
  readonly known: ReadonlySet<string>
  readonly unreached: ReadonlySet<string>
}

/** Returns the causes of a machine's alerts at its last reading. Pure. */
export function causesOf(view: HealthView, name: string): readonly AlertCause[] {
  const { machine, disk, defects } = view
  const share = disk ? disk.used / disk.total : 0
  const isFilling = (disk?.fullIn ?? Infinity) <= diskLimits.seconds
  return [
    ...(disk && (share >= diskLimits.share || isFilling)
      ? [{ kind: 'disk-full' as const, machine, name, share, fullIn: disk.fullIn }]
      : []),
    ...defects.map((defect) => ({ kind: 'gpu-defect' as const, machine, name, defect })),
  ]
}

/** Reads disk, memory and load of the machines whose GPUs are read, over the same connections, and checks their alerts. */
export function createHealth({ machine, alerts, clock }: HealthDeps) {
  const byMachine = new Map<string, Watched>()
  const changes = createEmitter<HealthView>()
  let isClosed = false

  function watchedOf(account: AccountId, id: string): Watched {
    const key = resourceKey(account, id)
    const watched = byMachine.get(key) ?? {
      account,
      machine: id,
      cancel: () => undefined,
      samples: [],
      view: null,
      isHot: false,
      unreachableSince: null,
    }
    byMachine.set(key, watched)
    return watched
  }

  function keep(watched: Watched, output: string): void {
    const { account, machine: id, isHot } = watched
    const at = clock.now()
    const { disk, defects, ...facts } = healthFacts(output)
    if (disk)
      watched.samples = [
        ...watched.samples.filter((sample) => sample.at > at - rateSeconds.most && sample.at < at),
        { at, used: disk.used },
      ]
    watched.view = {
      account,
      machine: id,
      at,
      ...facts,
      disk: disk && { ...disk, fullIn: fullIn(watched.samples, disk.total) },
      defects: [...defects, ...(isHot ? (['heat'] as const) : [])],
    }
    changes.emit(watched.view)
    check(account)
  }

  /** Whether nothing is known that could end an alert of this module. */
  function isUndecided(account: AccountId, cause: AlertCause, { known, unreached }: Reached): boolean {
    if (!('machine' in cause) || machine(account, cause.machine) === undefined) return false
    if (cause.kind === 'disk-full' || cause.kind === 'gpu-defect') return !known.has(cause.machine)
    return cause.kind === 'unreachable' && unreached.has(cause.machine)
  }

  /** Checks the alerts of an account. Alerts of machines without a recent reading stay. */
  function check(account: AccountId): void {
    if (isClosed) return
    const now = clock.now()
    const found: FoundAlert[] = []
    const known = new Set<string>()
    const unreached = new Set<string>()
    for (const { account: owner, machine: id, view, unreachableSince } of byMachine.values()) {
      const record = owner === account ? machine(account, id) : undefined
      if (!record) continue
      const isRecent = view !== null && now - view.at <= maxAgeSeconds
      if (isRecent) {
        known.add(id)
        found.push(...causesOf(view, record.name).map((cause) => ({ cause })))
      }
      if (unreachableSince !== null) unreached.add(id)
      if (unreachableSince !== null && now - unreachableSince >= unreachableSeconds)
        found.push({
          cause: { kind: 'unreachable', machine: id, name: record.name },
          since: unreachableSince,
        })
    }
    const standing = alerts
      .standing(account)
      .filter((cause) => isUndecided(account, cause, { known, unreached }))
    alerts.check(account, [...found, ...standing.map((cause) => ({ cause }))])
  }

  async function read(watched: Watched, exec: Exec): Promise<void> {
    const outcome = await exec(healthScript).catch(() => undefined)
    if (isClosed || byMachine.get(resourceKey(watched.account, watched.machine)) !== watched) return
    if (outcome?.kind === 'finished' && outcome.stdout !== '') keep(watched, outcome.stdout)
  }

  /** Reads a machine while its connection is open; `exec` null: it closed. */
  function connected(account: AccountId, id: string, exec: Exec | null): void {
    const watched = watchedOf(account, id)
    watched.cancel()
    watched.cancel = () => undefined
    if (!exec || isClosed) return
    function plan(seconds: number, run: Exec): void {
      watched.cancel = clock.after(seconds, () => {
        plan(pauseSeconds.next, run)
        void read(watched, run)
      })
    }
    plan(pauseSeconds.first, exec)
  }

  /** Notes whether a running machine can be reached. */
  function linkChanged({ account, machine: id, link, consent }: GpuView): void {
    const isRunning = machineState(machine(account, id)?.status ?? null) === 'running'
    const watched = watchedOf(account, id)
    const wasUnreachable = watched.unreachableSince !== null
    if (!consent || !isRunning || link.kind === 'connected' || link.kind === 'off' || link.kind === 'stopped')
      watched.unreachableSince = null
    else if (link.kind === 'waiting') watched.unreachableSince ??= clock.now()
    if (wasUnreachable && watched.unreachableSince === null) check(account)
  }

  function addReading(account: AccountId, id: string, gpus: readonly GpuReading[]): void {
    watchedOf(account, id).isHot = gpus.some(
      ({ throttle }) => typeof throttle !== 'string' && throttle.some((reason) => reason.includes('thermal')),
    )
  }

  /** Unreachable machines send nothing that could start a check. */
  let cancelChecks = clock.after(60, checkAll)
  function checkAll(): void {
    cancelChecks = clock.after(60, checkAll)
    const due = [...byMachine.values()].filter(({ unreachableSince }) => unreachableSince !== null)
    for (const account of new Set(due.map((watched) => watched.account))) check(account)
  }

  function forget(account: AccountId, machines: readonly string[]): void {
    for (const id of machines) {
      byMachine.get(resourceKey(account, id))?.cancel()
      byMachine.delete(resourceKey(account, id))
    }
  }
  const handlers: HandlersOf<typeof healthCalls> = {
    'health.read': ({ account, machine: id }) => byMachine.get(resourceKey(account, id))?.view ?? null,
  }
  return {
    handlers,
    onChange: changes.on,
    connected,
    linkChanged,
    addReading,
    forget,
    forgetAccount(account: AccountId): void {
      for (const [key, watched] of byMachine)
        if (isKeyOf(account, key)) {
          watched.cancel()
          byMachine.delete(key)
        }
    },
    close(): void {
      isClosed = true
      cancelChecks()
      for (const watched of byMachine.values()) watched.cancel()
    },
  }
}
