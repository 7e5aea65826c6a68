import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading, GpuView, HealthProblem, HealthView, healthCalls } from '#shared/bridge/gpu'
import type { HandlersOf } from '#shared/bridge/index'
import { createEmitter } from '#shared/emitter'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { machineState } from '#shared/service/machine-state'
import { waitsForTurn } from '#shared/ssh-wait-reasons'
import type { FoundAlert } from '../../alerts/index'
import type { Clock } from '../../core/clock'
import { isRecent } from '../../core/elapsed'
import type { ExecOutcome } from '../../ssh/client/transport'
import {
  type DiskSample,
  type DiskSpace,
  fullIn,
  healthFacts,
  healthScript,
  rateSeconds,
  systemHealthScript,
} from './health-facts'

export interface HealthDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly alerts: {
    standing(account: AccountId): readonly AlertCause[]
    check(account: AccountId, found: readonly FoundAlert[]): void
  }
  readonly clock: Clock
  /** Whether this computer has a network. */
  online(): boolean
}

type Exec = (script: string) => Promise<ExecOutcome>

/** Pauses in seconds. The first reading waits for the GPUs, which the user looks at. */
const pauseSeconds = { first: 5, next: 300 } as const
/** Pause in seconds between two questions about GPUs whose driver hangs: each leaves a process behind. */
const hungPauseSeconds = 3_600
/** Age in seconds after which a reading neither begins nor ends an alert. */
const maxAgeSeconds = 3 * pauseSeconds.next
/** Used share of a disk, and seconds until it is full, at which its alert begins. */
const diskLimits = { share: 0.9, seconds: 6 * 3_600 } as const
/** The same for the end of the alert, so that a disk near the limit does not notify again and again. */
const diskEndLimits = { share: 0.87, seconds: 12 * 3_600 } as const
/** Time in seconds from which slowing by heat is a defect: short peaks are usual. */
const minHotSeconds = 300
/** Longest pause in seconds between two readings of the GPUs that show the same heat. */
const maxHotGapSeconds = 180
/** Time in seconds for which a running machine may be unreachable without an alert. */
const unreachableSeconds = 600
/** Pause between two checks of unreachable machines, in seconds. A longer one means that this computer slept. */
const checkSeconds = 60

interface Watched {
  readonly account: AccountId
  readonly machine: string
  cancel(): void
  /** Used space in the last hours, by the mount point of the disk. */
  samples: ReadonlyMap<string, readonly DiskSample[]>
  view: HealthView | null
  /** Epoch seconds at which the question about the GPUs was not answered in time; null: the last one was. */
  hungAt: number | null
  /** Epoch seconds since which every reading showed a GPU slowed by heat; null: the last one did not. */
  hotSince: number | null
  /** Epoch seconds of the last reading of the GPUs. */
  gpusReadAt: number
  /** Epoch seconds since which the machine runs and cannot be reached; null: reached, or not running. */
  unreachableSince: number | null
  /** The machine waits for its turn, and was not tried since. */
  isUntried: boolean
  /** The user does not allow readings, or the machine does not run. */
  isOff: boolean
}

const newWatched = (account: AccountId, machine: string): Watched => ({
  account,
  machine,
  cancel: () => undefined,
  samples: new Map(),
  view: null,
  hungAt: null,
  hotSince: null,
  gpusReadAt: -Infinity,
  unreachableSince: null,
  isUntried: false,
  isOff: false,
})

/** Returns the causes of a machine's alerts at its last reading. `alerted`: mount points of its alerts so far. Pure. */
export function causesOf(view: HealthView, name: string, alerted: readonly string[]): readonly AlertCause[] {
  const { machine, disk, defects } = view
  const limits = disk && alerted.includes(disk.mount) ? diskEndLimits : diskLimits
  const share = disk ? disk.used / disk.total : 0
  const isFilling = (disk?.fullIn ?? Infinity) <= limits.seconds
  return [
    ...(disk && (share >= limits.share || isFilling)
      ? [{ kind: 'disk-full' as const, machine, name, mount: disk.mount, share, fullIn: disk.fullIn }]
      : []),
    ...defects.map((defect) => ({ kind: 'gpu-defect' as const, machine, name, defect })),
  ]
}

/** Returns why a reading failed; null if it succeeded. Pure. */
function problemOf(outcome: ExecOutcome): HealthProblem | null {
  switch (outcome.kind) {
    case 'not-begun':
      return 'not-begun'
    case 'timed-out':
      return outcome.isLogin ? 'slow-login' : 'no-answer'
    case 'finished':
      return outcome.stdout === '' ? 'no-output' : null
  }
}

/** Returns the view after a reading that failed. Earlier facts stay. Pure. */
const viewWithout = ({ account, machine, view }: Watched, problem: HealthProblem): HealthView => ({
  account,
  machine,
  at: null,
  disk: null,
  memory: null,
  swap: null,
  load: null,
  xids: null,
  defects: [],
  ...view,
  problem,
})

type Disk = NonNullable<HealthView['disk']>

/** Returns the disk that needs the user first: the fullest disk over the limit, otherwise the first to be full. Pure. */
export function worstDisk(disks: readonly Disk[]): Disk | null {
  const share = ({ used, total }: Disk): number => used / total
  const seconds = (disk: Disk): number => (share(disk) >= diskLimits.share ? 0 : (disk.fullIn ?? Infinity))
  const [worst = null] = disks.toSorted((a, b) => {
    const [left, right] = [seconds(a), seconds(b)]
    return left === right ? share(b) - share(a) : left - right
  })
  return worst
}

/** Adds a sample of each disk to the samples of the last hours. Returns the disks with the time until they are full. */
function withSamples(watched: Watched, disks: readonly DiskSpace[], at: number): readonly Disk[] {
  watched.samples = new Map(
    disks.map(({ mount, used }) => {
      const earlier = watched.samples.get(mount) ?? []
      const recent = earlier.filter((sample) => sample.at > at - rateSeconds.most && sample.at < at)
      return [mount, [...recent, { at, used }]]
    }),
  )
  return disks.map((disk) => ({ ...disk, fullIn: fullIn(watched.samples.get(disk.mount) ?? [], disk.total) }))
}

/** Returns the view after a reading, and adds its samples of the disks. */
function viewAfter(watched: Watched, output: string, at: number): HealthView {
  const { account, machine, hotSince, gpusReadAt, hungAt, view } = watched
  const isCurrent = isRecent(gpusReadAt, maxHotGapSeconds, at)
  const isHot = isCurrent && hotSince !== null && at - hotSince >= minHotSeconds
  const { disks, defects, ...facts } = healthFacts(output)
  return {
    account,
    machine,
    at,
    problem: null,
    ...facts,
    disk: worstDisk(withSamples(watched, disks, at)),
    // A driver that hangs was not asked about its defects.
    defects: [
      ...defects,
      ...(hungAt === null
        ? []
        : (view?.defects ?? []).filter((defect) => defect !== 'heat' && defect !== 'xid')),
      ...(isHot ? (['heat'] as const) : []),
    ],
  }
}

/**
 * Returns the alerts of an account's machines. Standing alerts stay if nothing is known that could end them. `nameOf`
 * returns undefined for machines that are not listed.
 */
function findingsOf(
  watched: readonly Watched[],
  standing: readonly AlertCause[],
  nameOf: (machine: string) => string | undefined,
  now: number,
): readonly FoundAlert[] {
  const found: FoundAlert[] = []
  const decided = new Set<string>()
  const unreached = new Set<string>()
  const alerted = (machine: string): readonly string[] =>
    standing.flatMap((cause) => (cause.kind === 'disk-full' && cause.machine === machine ? cause.mount : []))
  for (const { machine, view, unreachableSince, isUntried, isOff } of watched) {
    const name = nameOf(machine)
    if (name === undefined) continue
    if (isOff) decided.add(machine)
    else if (view !== null && now - (view.at ?? -Infinity) <= maxAgeSeconds) {
      decided.add(machine)
      found.push(...causesOf(view, name, alerted(machine)).map((cause) => ({ cause })))
    }
    if (unreachableSince === null) continue
    unreached.add(machine)
    if (!isUntried && now - unreachableSince >= unreachableSeconds)
      found.push({ cause: { kind: 'unreachable', machine, name }, since: unreachableSince })
  }
  const isUndecided = (cause: AlertCause): boolean => {
    if (!('machine' in cause) || nameOf(cause.machine) === undefined) return false
    if (cause.kind === 'disk-full' || cause.kind === 'gpu-defect') return !decided.has(cause.machine)
    return cause.kind === 'unreachable' && unreached.has(cause.machine)
  }
  return [...found, ...standing.filter(isUndecided).map((cause) => ({ cause }))]
}

/** Reads disk, memory and load of the machines whose GPUs are read, over the same connections, and checks their alerts. */
export function createHealth({ machine, alerts, clock, online }: HealthDeps) {
  const byMachine = new Map<string, Watched>()
  const changes = createEmitter<HealthView>()
  let isClosed = false

  function watchedOf(account: AccountId, id: string): Watched {
    const key = resourceKey(account, id)
    const watched = byMachine.get(key) ?? newWatched(account, id)
    byMachine.set(key, watched)
    return watched
  }

  function keep(watched: Watched, view: HealthView): void {
    watched.view = view
    changes.emit(view)
    check(watched.account)
  }

  /** Checks the alerts of an account. */
  function check(account: AccountId): void {
    if (isClosed) return
    const own = [...byMachine.values()].filter((watched) => watched.account === account)
    const nameOf = (id: string): string | undefined => machine(account, id)?.name
    alerts.check(account, findingsOf(own, alerts.standing(account), nameOf, clock.now()))
  }

  async function read(watched: Watched, exec: Exec): Promise<void> {
    const isCurrent = (): boolean =>
      !isClosed && byMachine.get(resourceKey(watched.account, watched.machine)) === watched
    const asksGpus = watched.hungAt === null || !isRecent(watched.hungAt, hungPauseSeconds, clock.now())
    const outcome = await exec(asksGpus ? healthScript : systemHealthScript).catch(() => undefined)
    // The link reports a lost connection.
    if (!outcome || !isCurrent()) return
    const problem = problemOf(outcome)
    if (asksGpus) watched.hungAt = problem === 'no-answer' ? clock.now() : null
    if (problem === null && outcome.kind === 'finished')
      keep(watched, viewAfter(watched, outcome.stdout, clock.now()))
    else if (problem !== null && (!asksGpus || problem !== 'no-answer'))
      keep(watched, viewWithout(watched, problem))
    // The rest of the machine may answer.
    else if (problem !== null) await read(watched, exec)
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

  /** Notes whether a machine may be read, and whether it can be reached. */
  function linkChanged({ account, machine: id, link, consent }: GpuView): void {
    const isRunning = machineState(machine(account, id)?.status ?? null) === 'running'
    const watched = watchedOf(account, id)
    const { isOff: wasOff } = watched
    const wasUnreachable = watched.unreachableSince !== null
    const isQueued = waitsForTurn(link)
    const isStopped = link.kind === 'off' || (link.kind === 'stopped' && !isQueued)
    watched.isOff = !consent || !isRunning
    // A turn begins with an attempt.
    if (link.kind !== 'connecting') watched.isUntried = isQueued
    if (watched.isOff || link.kind === 'connected' || isStopped) watched.unreachableSince = null
    else if (link.kind === 'waiting') watched.unreachableSince ??= clock.now()
    if (watched.isOff !== wasOff || (wasUnreachable && watched.unreachableSince === null)) check(account)
  }

  function addReading(account: AccountId, id: string, gpus: readonly Pick<GpuReading, 'throttle'>[]): void {
    const watched = watchedOf(account, id)
    const isSlowed = gpus.some(
      ({ throttle }) => typeof throttle !== 'string' && throttle.some((reason) => reason.includes('thermal')),
    )
    const isContinued = isRecent(watched.gpusReadAt, maxHotGapSeconds, clock.now())
    watched.gpusReadAt = clock.now()
    watched.hotSince = isSlowed ? ((isContinued ? watched.hotSince : null) ?? clock.now()) : null
  }

  /** Unreachable machines send nothing that could start a check. */
  let cancelChecks = clock.after(checkSeconds, checkAll)
  let checkedAt = clock.now()
  function checkAll(): void {
    cancelChecks = clock.after(checkSeconds, checkAll)
    const due = [...byMachine.values()].filter(({ unreachableSince }) => unreachableSince !== null)
    // A computer that slept or has no network reaches no machine.
    const isCut = !online() || !isRecent(checkedAt, 2 * checkSeconds, clock.now())
    checkedAt = clock.now()
    if (isCut) for (const watched of due) watched.unreachableSince = checkedAt
    for (const account of new Set(due.map((watched) => watched.account))) check(account)
  }

  /** Forgets machines that are gone, and ends their alerts. */
  function forget(account: AccountId, machines: readonly string[]): void {
    for (const id of machines) {
      byMachine.get(resourceKey(account, id))?.cancel()
      byMachine.delete(resourceKey(account, id))
    }
    check(account)
  }
  const handlers: HandlersOf<typeof healthCalls> = {
    'gpu.health': ({ account, machine: id }) => byMachine.get(resourceKey(account, id))?.view ?? null,
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
