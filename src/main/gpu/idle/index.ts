import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading } from '#shared/bridge/gpu'
import {
  type idleCalls,
  type IdleGpu,
  type IdleList,
  type IdleMachine,
  IdleSettings,
} from '#shared/bridge/idle'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { type Money, timesMoney } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import type { Accounts } from '../../accounts/index'
import type { FoundAlert } from '../../alerts/index'
import { type Clock, yieldToEventLoop } from '../../core/clock'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../../core/report-error'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { SettingsStore } from '../../store/settings'
import { type GpuSample, loadOf, minute, sampleOf } from '../telemetry/gpu-samples'
import {
  emptyHistory,
  type GpuHistory,
  joinedHistory,
  storedHistory,
  type StoredLoad,
  unbrokenGapSeconds,
  withPoint,
} from './gpu-history'
import { idleSince, maxGapSeconds } from './idle-chain'
import { isMeasured, judge, judgeByGpu, type LoadEvidence, noEvidence, type Verdict } from './idle-verdict'
import { isRecent } from '../../core/elapsed'
import { type CpuReaderDeps, createCpuReader } from './read-cpu'

export interface IdleDeps extends Pick<CpuReaderDeps, 'cpu'> {
  readonly accounts: Pick<Accounts, 'view'>
  readonly settings: Pick<SettingsStore, 'section'>
  machines(account: AccountId): readonly MachineView[]
  /** Bare metal. The service has no metrics for it, so it is judged by its GPUs only. */
  instances(account: AccountId): readonly MachineView[]
  /** Whether the user allowed to read the GPUs of a machine. */
  isMonitored(account: AccountId, machine: string): boolean
  /** Stored load of a machine, or of one of its GPUs. */
  loads(
    account: AccountId,
    machine: string,
    from: number,
    threshold: number,
    gpu: string | null,
  ): ReturnType<StoredLoad>
  /** Index of each GPU with stored samples since `from`, by its id. */
  storedGpus(account: AccountId, machine: string, from: number): ReadonlyMap<string, number>
  fees(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, Money>>
  readonly alerts: {
    standing(account: AccountId): readonly AlertCause[]
    check(account: AccountId, found: readonly FoundAlert[]): void
  }
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
}

const checkIntervalSeconds = 60
/** Delay of the first check: the fleet must be read before. */
const firstCheckSeconds = 20
const cpuIntervalSeconds = 900
const maxCpuReads = 20

/** Collects the load of all machines, from readings and from stored samples. */
function createLoadEvidence(
  { loads, storedGpus, isMonitored }: Pick<IdleDeps, 'loads' | 'storedGpus' | 'isMonitored'>,
  settings: () => IdleSettings,
  now: Clock['now'],
) {
  const byMachine = new Map<string, LoadEvidence>()
  const of = (account: AccountId, machine: string): LoadEvidence => {
    const key = resourceKey(account, machine)
    const evidence = byMachine.get(key) ?? noEvidence()
    byMachine.set(key, evidence)
    return evidence
  }
  return {
    of,
    verdict(account: AccountId, machine: string): Verdict {
      const load = { ...of(account, machine), isMonitored: isMonitored(account, machine) }
      return judge(load, settings(), now())
    },
    all: (): readonly LoadEvidence[] => [...byMachine.values()],
    clear: (): void => byMachine.clear(),
    addReading(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      const evidence = of(account, machine)
      const { threshold } = settings()
      // A GPU in instances (MIG), in error or without a value counts as unread: the CPU is read instead.
      const samples = gpus.map((gpu) => sampleOf(gpu, at, minute))
      const added = (history: GpuHistory, of: readonly GpuSample[]): GpuHistory =>
        withPoint(history, { ...loadOf(of, threshold), time: at }, threshold)
      evidence.gpu = added(evidence.gpu, samples)
      evidence.gpus = new Map(
        samples.map((sample) => {
          const before = evidence.gpus.get(sample.gpu)?.history ?? emptyHistory
          const history = samples.length === 1 ? evidence.gpu : added(before, [sample])
          return [sample.gpu, { index: sample.index, history }]
        }),
      )
    },
    /** Adds the samples of earlier runs once. Yields after each read of samples, which takes time. */
    *addStored(account: AccountId, machine: string): Generator<void> {
      const evidence = of(account, machine)
      if (evidence.hasStored) return
      const { threshold } = settings()
      const storedOf = (gpu: string | null): GpuHistory | undefined =>
        storedHistory((from) => loads(account, machine, from, threshold, gpu), threshold, now())
      const stored = storedOf(null)
      if (!stored) return
      evidence.gpu = joinedHistory(stored, evidence.gpu)
      evidence.hasStored = true
      if (stored.idle.first === undefined) return
      yield
      const gpus = storedGpus(account, machine, now() - maxGapSeconds)
      for (const [id, index] of gpus) {
        const late = evidence.gpus.get(id)
        const early = gpus.size === 1 ? stored : storedOf(id)
        const history = early ? joinedHistory(early, late?.history ?? emptyHistory) : late?.history
        if (history)
          evidence.gpus = new Map([...evidence.gpus, [id, { index: late?.index ?? index, history }]])
        if (gpus.size > 1) yield
      }
    },
    /** Returns the indexes of the GPUs at work at the time of a reading. */
    workingGpus: (account: AccountId, machine: string, at: number): readonly number[] =>
      [...of(account, machine).gpus.values()].flatMap(({ index, history }) =>
        history.busyAt === at ? index : [],
      ),
    /** Returns the unused GPUs of a machine. */
    unusedGpus(account: AccountId, machine: string): readonly IdleGpu[] {
      const { minutes } = settings()
      return [...of(account, machine).gpus.values()].flatMap(({ index, history }) => {
        const verdict = judgeByGpu(history, minutes, now())
        if (verdict?.kind !== 'unused') return []
        const { since, use, held, basis } = verdict
        return [{ machine, index, since, use, held, basis }]
      })
    },
    /** Whether GPUs were at work within the time that counts as idle. */
    atWork(account: AccountId, machine: string): boolean {
      const busyAt = byMachine.get(resourceKey(account, machine))?.gpu.busyAt ?? -Infinity
      return isRecent(busyAt, settings().minutes * 60, now())
    },
    forgetAccount(account: AccountId): void {
      for (const key of byMachine.keys()) if (isKeyOf(account, key)) byMachine.delete(key)
    },
  }
}

/** Stores the idle and the unmeasured machines of each account, and emits changes. */
function createIdleList() {
  const byAccount = new Map<AccountId, IdleList>()
  const emitted = new Map<AccountId, string>()
  const changes = createEmitter<EventPayload<'idle.changed'>>()

  function publish(
    account: AccountId,
    idle: readonly IdleMachine[],
    gpus: readonly IdleGpu[],
    unmeasured: readonly string[],
  ): void {
    const machines = idle.toSorted(
      (a, b) => (b.cost?.millionths ?? 0) - (a.cost?.millionths ?? 0) || a.since - b.since,
    )
    const list = { machines, gpus: [...gpus], unmeasured: [...unmeasured] }
    byAccount.set(account, list)
    const text = JSON.stringify(list)
    if (emitted.get(account) === text) return
    emitted.set(account, text)
    changes.emit({ account, ...list })
  }
  return {
    of: (account: AccountId): IdleList =>
      byAccount.get(account) ?? { machines: [], gpus: [], unmeasured: [] },
    onChange: changes.on,
    publish,
    /** Whether a GPU is listed without work. */
    isGpuIdle: (account: AccountId, machine: string, index: number): boolean =>
      (byAccount.get(account)?.gpus ?? []).some(
        (gpu) => gpu.machine === machine && gpu.index === index && gpu.use !== 'barely-used',
      ),
    /** Removes a machine from the unmeasured machines. */
    measured(account: AccountId, machine: string): void {
      const list = byAccount.get(account)
      if (!list?.unmeasured.includes(machine)) return
      const others = list.unmeasured.filter((id) => id !== machine)
      publish(account, list.machines, list.gpus, others)
    },
    forgetAccount(account: AccountId): void {
      byAccount.delete(account)
      emitted.delete(account)
    },
  }
}

/** Checks the alerts of an account. The alert of a machine whose load is unknown stays unchanged. */
function checkAlerts(
  alerts: IdleDeps['alerts'],
  account: AccountId,
  idle: readonly IdleMachine[],
  unknown: readonly string[],
): void {
  const unchanged = alerts
    .standing(account)
    .filter((cause) => cause.kind === 'idle' && unknown.includes(cause.machine))
  alerts.check(account, [
    ...idle.map(({ machine, name, cost, use, since }) => ({
      cause: { kind: 'idle' as const, machine, name, cost, use },
      since,
    })),
    ...unchanged.map((cause) => ({ cause })),
  ])
}

/**
 * Checks all accounts at regular intervals and in parallel, so that a slow service delays no other account. The results
 * of a check must be dropped once `isCancelled` returns true.
 */
function scheduleChecks(
  { accounts, clock, report }: Pick<IdleDeps, 'accounts' | 'clock' | 'report'>,
  checkAccount: (account: AccountId, isCancelled: () => boolean) => Promise<void>,
) {
  const running = new Map<AccountId, symbol>()
  let isClosed = false
  let cancelTimer = clock.after(firstCheckSeconds, () => void check())

  async function check(): Promise<void> {
    if (isClosed) return
    cancelTimer()
    cancelTimer = clock.after(checkIntervalSeconds, () => void check())
    await Promise.all(accounts.view().accounts.map(({ id }) => checkOnce(id)))
  }
  async function checkOnce(account: AccountId): Promise<void> {
    if (running.has(account)) return
    const run = Symbol(account)
    running.set(account, run)
    const isCancelled = (): boolean =>
      isClosed || running.get(account) !== run || !accounts.view().accounts.some(({ id }) => id === account)
    await checkAccount(account, isCancelled).catch((error: unknown) => report('idle.check', error))
    if (running.get(account) === run) running.delete(account)
  }
  return {
    check,
    forgetAccount: (account: AccountId): void => void running.delete(account),
    close(): void {
      isClosed = true
      cancelTimer()
    },
  }
}

async function readFees(
  { fees, report }: Pick<IdleDeps, 'fees' | 'report'>,
  account: AccountId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  if (ids.length === 0) return new Map()
  try {
    return await fees(account, ids)
  } catch (error) {
    report('idle.fees', error)
    return new Map()
  }
}

/** Whether a machine has GPUs whose work was not measured lately. Unknown before its stored samples were read. */
const isUnmeasured = (
  { flavor }: MachineView,
  load: LoadEvidence,
  settings: IdleSettings,
  now: number,
): boolean =>
  (flavor.gpuCount !== null || flavor.gpu !== null) && load.hasStored && !isMeasured(load, settings, now)

/** Machines that may be unused. `all` has bare metal too, which is judged by its GPUs only. */
function candidates(
  { machines, instances, isMonitored }: Pick<IdleDeps, 'machines' | 'instances' | 'isMonitored'>,
  account: AccountId,
) {
  const mayBeUnused = ({ status, flavor }: MachineView): boolean =>
    machineState(status) === 'running' && flavor.gpuCount !== 0
  const listed = machines(account).filter(mayBeUnused)
  const monitored = instances(account).filter(
    (instance) => mayBeUnused(instance) && isMonitored(account, instance.id),
  )
  return { machines: listed, all: [...listed, ...monitored] }
}

/** Returns the machines whose CPU is read next: the longest unread ones without a recent reading of their GPUs. Pure. */
const withDueCpu = <Entry extends { readonly load: LoadEvidence }>(
  entries: readonly Entry[],
  now: number,
): readonly Entry[] =>
  entries
    .filter(
      ({ load }) =>
        !isRecent(load.cpuReadAt, cpuIntervalSeconds, now) &&
        !isRecent(load.gpu.knownAt, checkIntervalSeconds * 3, now),
    )
    .sort((a, b) => a.load.cpuReadAt - b.load.cpuReadAt)
    .slice(0, maxCpuReads)

/** Returns an unused machine with its cost until `until`, in epoch seconds. Pure. */
function idleMachine(
  { id, name }: MachineView,
  { since, use, held, basis }: Pick<IdleMachine, 'since' | 'use' | 'held' | 'basis'>,
  perHour: Money | null,
  until: number,
): IdleMachine {
  const cost = perHour && timesMoney(perHour, Math.max(0, Math.round(until - since)), 3_600)
  return { machine: id, name, since, use, held, basis, perHour, cost }
}

/** Finds machines that cost money and do no work, by their GPUs if these are read over SSH, otherwise by their CPU. */
export function createIdle(deps: IdleDeps) {
  const { accounts, clock } = deps
  const { now } = clock
  const section = deps.settings.section('idle', IdleSettings)
  const cpuReader = createCpuReader({
    cpu: deps.cpu,
    threshold: () => section.read().threshold,
    minutes: () => section.read().minutes,
    clock,
  })
  const evidence = createLoadEvidence(deps, () => section.read(), now)
  const list = createIdleList()
  const { check, ...checks } = scheduleChecks(deps, checkAccount)
  let isAwake = true

  async function checkAccount(account: AccountId, isCancelled: () => boolean): Promise<void> {
    const { machines, all } = candidates(deps, account)
    for (const { id } of all)
      for (const _ of evidence.addStored(account, id)) {
        // One machine may have a week of samples.
        await yieldToEventLoop()
        if (isCancelled()) return
      }
    // The verdict by the GPUs does not wait for the service.
    await conclude(account, all, isCancelled)
    const isSignedIn = accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'
    if (!isSignedIn || !deps.online() || !isAwake) return
    const due = withDueCpu(
      machines.map(({ id }) => ({ id, load: evidence.of(account, id) })),
      now(),
    )
    for (const { id, load } of due) {
      await cpuReader.read(account, id, load)
      if (isCancelled()) return
    }
    if (due.length > 0) await conclude(account, all, isCancelled)
  }

  async function conclude(
    account: AccountId,
    machines: readonly MachineView[],
    isCancelled: () => boolean,
  ): Promise<void> {
    const judged = machines.map((machine) => ({
      machine,
      verdict: evidence.verdict(account, machine.id),
    }))
    const idle = judged.flatMap(({ machine, verdict }) =>
      verdict.kind === 'unused' ? [{ machine, ...verdict }] : [],
    )
    const fees = await readFees(
      deps,
      account,
      idle.map(({ machine }) => machine.id),
    )
    if (isCancelled()) return
    const next = idle.map(({ machine, ...verdict }) => {
      const cpuUntil = verdict.use === 'cpu-idle' ? (evidence.of(account, machine.id).cpu?.last ?? 0) : 0
      return idleMachine(machine, verdict, fees.get(machine.id) ?? null, Math.max(now(), cpuUntil))
    })
    const unmeasured = machines.flatMap((machine) =>
      isUnmeasured(machine, evidence.of(account, machine.id), section.read(), now()) ? machine.id : [],
    )
    const gpus = machines.flatMap(({ id }) => evidence.unusedGpus(account, id))
    list.publish(account, next, gpus, unmeasured)
    const unknown = judged.flatMap(({ machine, verdict }) => (verdict.kind === 'unknown' ? machine.id : []))
    // No alert ends before the fleet was read. Bare metal may be read earlier.
    const listed = new Set(deps.machines(account).map(({ id }) => id))
    if (listed.size > 0) {
      // Bare metal is only reported as waste: nothing here can end it.
      const alerted = list.of(account).machines.filter(({ machine }) => listed.has(machine))
      checkAlerts(deps.alerts, account, alerted, unknown)
    }
  }

  async function configure(next: IdleSettings): Promise<IdleSettings> {
    const { threshold } = section.read()
    const written = section.change(() => next)
    // Another threshold changes the meaning of every point.
    if (threshold !== next.threshold) evidence.clear()
    void check()
    await written
    return section.read()
  }
  const handlers: HandlersOf<typeof idleCalls> = {
    'idle.list': ({ account }) => list.of(account),
    'idle.settings': () => section.read(),
    'idle.configure': configure,
  }

  return {
    handlers,
    list: list.of,
    of: (account: AccountId, machine: string): IdleMachine | undefined =>
      list.of(account).machines.find((idle) => idle.machine === machine),
    /**
     * Returns since when the GPUs are idle, for at least `minutes`; null if they are not, or if work could have gone unseen
     * between two readings.
     */
    gpusIdleSince(account: AccountId, machine: string, minutes: number): number | null {
      const { chain } = evidence.of(account, machine).gpu.unbroken
      return idleSince(chain, { minutes, now: now(), fresh: unbrokenGapSeconds }) ?? null
    },
    atWork: evidence.atWork,
    addReading(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      evidence.addReading(account, machine, gpus, at)
      const working = evidence.workingGpus(account, machine, at)
      // Work ends idle time at once, not at the next check.
      if (working.some((index) => list.isGpuIdle(account, machine, index))) void check()
      if (isMeasured(evidence.of(account, machine), section.read(), now())) list.measured(account, machine)
    },
    check,
    onChange: list.onChange,
    /** Reads missing beginnings of idle times once the window is open. */
    windowChanged(isOpen: boolean): void {
      cpuReader.windowChanged(isOpen)
      if (!isOpen) return
      const loads = evidence.all()
      for (const load of loads) if (load.cpu && !load.hasCpuBeginning) load.cpuReadAt = -Infinity
      if (loads.length > 0) void check()
    },
    /** Sends no requests while the computer sleeps, and checks all accounts when it wakes up. */
    wakeChanged(awake: boolean): void {
      isAwake = awake
      if (awake) void check()
    },
    forgetAccount(account: AccountId): void {
      evidence.forgetAccount(account)
      checks.forgetAccount(account)
      list.forgetAccount(account)
    },
    close: checks.close,
  }
}
