import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading } from '#shared/bridge/gpu'
import { type idleCalls, type IdleMachine, IdleSettings } from '#shared/bridge/idle'
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
import { joinedHistory, storedHistory, type StoredLoad, withPoint } from './gpu-history'
import { judge, type LoadEvidence, noEvidence } from './idle-verdict'
import { isRecent } from '../../core/elapsed'
import { type CpuReaderDeps, createCpuReader } from './read-cpu'

export interface IdleDeps extends Pick<CpuReaderDeps, 'cpu'> {
  readonly accounts: Pick<Accounts, 'view'>
  readonly settings: Pick<SettingsStore, 'section'>
  machines(account: AccountId): readonly MachineView[]
  /** The load of the busiest GPU in the stored samples. */
  busiest(account: AccountId, machine: string, from: number): ReturnType<StoredLoad>
  /** What these machines cost per hour, as far as it is known. */
  fees(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, Money>>
  readonly alerts: {
    /** The causes of the account's standing alerts. */
    standing(account: AccountId): readonly AlertCause[]
    check(account: AccountId, found: readonly FoundAlert[]): void
  }
  readonly clock: Clock
  online(): boolean
  readonly report: ReportError
}

/** Seconds between two checks, and before the first: the fleet has to be read. */
const checkEvery = 60
const firstCheck = 20
/** Seconds between two reads of one machine's CPU metrics, and machines read in one check. */
const readCpuEvery = 900
const cpusPerCheck = 20

/** The highest utilization; null where that of one GPU is unknown and no other is at work. */
const busiestOf = (gpus: readonly GpuReading[], threshold: number): number | null => {
  const known = gpus.flatMap(({ utilization }) => (typeof utilization === 'number' ? [utilization] : []))
  const highest = Math.max(...known)
  return highest >= threshold || (known.length === gpus.length && known.length > 0) ? highest : null
}

/** Machines that cost money and do nothing: by their GPUs where these are read over SSH, else by what the CPU does. */
export function createIdle(deps: IdleDeps) {
  const { accounts, clock } = deps
  const { now } = clock
  const section = deps.settings.section('idle', IdleSettings)
  const threshold = (): number => section.read().threshold
  const minutes = (): number => section.read().minutes
  const cpuReader = createCpuReader({ cpu: deps.cpu, threshold, minutes, clock })
  const evidence = new Map<string, LoadEvidence>()
  const found = new Map<AccountId, readonly IdleMachine[]>()
  /** The last event of each account, as text. */
  const emitted = new Map<AccountId, string>()
  const changes = createEmitter<EventPayload<'idle.changed'>>()
  let cancelTimer = (): void => undefined
  /** The check of each account that is under way. */
  const running = new Map<AccountId, symbol>()
  let isClosed = false
  let isAwake = true

  const evidenceOf = (account: AccountId, machine: string): LoadEvidence => {
    const key = resourceKey(account, machine)
    const known = evidence.get(key) ?? noEvidence()
    evidence.set(key, known)
    return known
  }

  const candidates = (account: AccountId): readonly MachineView[] =>
    deps
      .machines(account)
      .filter(({ status, flavor }) => machineState(status) === 'running' && flavor.gpuCount !== 0)

  /** Adds the samples of earlier runs, once; true where that took time. */
  function addStored(account: AccountId, machine: string, one: LoadEvidence): boolean {
    if (one.hasStored) return false
    const { threshold } = section.read()
    const stored = storedHistory((from) => deps.busiest(account, machine, from), threshold, now())
    if (!stored) return false
    one.gpu = joinedHistory(stored, one.gpu)
    one.hasStored = true
    return stored.from !== undefined
  }

  /** Nothing is emitted or kept of an account that was removed during its check. */
  const isCancelled = (account: AccountId, run: symbol): boolean =>
    isClosed || running.get(account) !== run || !accounts.view().accounts.some(({ id }) => id === account)

  const costUntil = (one: LoadEvidence, strength: IdleMachine['strength']): number =>
    Math.max(now(), (strength === 'cpu' ? one.cpu?.last : undefined) ?? 0)

  async function checkAccount(account: AccountId, run: symbol): Promise<void> {
    const machines = candidates(account)
    for (const { id } of machines) {
      // A week of samples is read at once.
      if (addStored(account, id, evidenceOf(account, id))) await yieldToEventLoop()
      if (isCancelled(account, run)) return
    }
    // What the GPUs show does not wait for the service.
    await conclude(account, machines, run)
    const isSignedIn = accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'
    if (!isSignedIn || !deps.online() || !isAwake) return
    const due = machines
      .map(({ id }) => ({ id, one: evidenceOf(account, id) }))
      .filter(
        ({ one }) =>
          !isRecent(one.cpuReadAt, readCpuEvery, now()) && !isRecent(one.gpu.knownAt, checkEvery * 3, now()),
      )
      .sort((a, b) => a.one.cpuReadAt - b.one.cpuReadAt)
      .slice(0, cpusPerCheck)
    for (const { id, one } of due) {
      await cpuReader.read(account, id, one)
      if (isCancelled(account, run)) return
    }
    if (due.length > 0) await conclude(account, machines, run)
  }

  const feesOf = (account: AccountId, idle: readonly { readonly machine: MachineView }[]) =>
    deps
      .fees(
        account,
        idle.map(({ machine }) => machine.id),
      )
      .catch((error: unknown): ReadonlyMap<string, Money> => {
        deps.report('idle.fees', error)
        return new Map()
      })

  async function conclude(account: AccountId, machines: readonly MachineView[], run: symbol): Promise<void> {
    const judged = machines.map((machine) => ({
      machine,
      verdict: judge(evidenceOf(account, machine.id), section.read(), now()),
    }))
    const idle = judged.flatMap(({ machine, verdict }) =>
      verdict.kind === 'idle' ? [{ machine, since: verdict.since, strength: verdict.strength }] : [],
    )
    const fees = idle.length === 0 ? new Map<string, Money>() : await feesOf(account, idle)
    if (isCancelled(account, run)) return
    const next = idle.map(({ machine: { id, name }, since, strength }): IdleMachine => {
      const perHour = fees.get(id) ?? null
      const seconds = Math.max(0, Math.round(costUntil(evidenceOf(account, id), strength) - since))
      return {
        machine: id,
        name,
        since,
        strength,
        perHour,
        cost: perHour && timesMoney(perHour, seconds, 3_600),
      }
    })
    publish(account, next)
    checkAlerts(
      account,
      machines,
      judged.flatMap(({ machine, verdict }) => (verdict.kind === 'unknown' ? machine.id : [])),
    )
  }

  function publish(account: AccountId, machines: readonly IdleMachine[]): void {
    const sorted = machines.toSorted(
      (one, other) => (other.cost?.millionths ?? 0) - (one.cost?.millionths ?? 0) || one.since - other.since,
    )
    found.set(account, sorted)
    const text = JSON.stringify(sorted)
    if (emitted.get(account) === text) return
    emitted.set(account, text)
    changes.emit({ account, machines: sorted })
  }

  /** The alert of a machine whose load is unknown stands as before. */
  function checkAlerts(
    account: AccountId,
    machines: readonly MachineView[],
    unknown: readonly string[],
  ): void {
    // No alert ends before the fleet was read.
    if (machines.length === 0 && deps.machines(account).length === 0) return
    const standing = deps.alerts
      .standing(account)
      .filter((cause) => cause.kind === 'idle' && unknown.includes(cause.machine))
    deps.alerts.check(account, [
      ...(found.get(account) ?? []).map(({ machine, name, cost, strength, since }) => ({
        cause: { kind: 'idle' as const, machine, name, cost, strength },
        since,
      })),
      ...standing.map((cause) => ({ cause })),
    ])
  }

  /** Each account by itself: one whose service is slow delays no other. */
  async function check(): Promise<void> {
    if (isClosed) return
    cancelTimer()
    cancelTimer = clock.after(checkEvery, () => void check())
    await Promise.all(accounts.view().accounts.map(({ id }) => checkOnce(id)))
  }
  async function checkOnce(account: AccountId): Promise<void> {
    if (running.has(account)) return
    const run = Symbol(account)
    running.set(account, run)
    await checkAccount(account, run).catch((error: unknown) => deps.report('idle.check', error))
    if (running.get(account) === run) running.delete(account)
  }
  cancelTimer = clock.after(firstCheck, () => void check())

  const list = (account: AccountId): readonly IdleMachine[] => found.get(account) ?? []
  async function configure(next: IdleSettings): Promise<IdleSettings> {
    const before = section.read()
    const written = section.change(() => next)
    // Under another threshold every point counts anew.
    if (before.threshold !== next.threshold) evidence.clear()
    void check()
    await written
    return section.read()
  }
  const handlers: HandlersOf<typeof idleCalls> = {
    'idle.list': ({ account }) => [...list(account)],
    'idle.settings': () => section.read(),
    'idle.configure': configure,
  }

  return {
    handlers,
    list,
    of: (account: AccountId, machine: string): IdleMachine | undefined =>
      list(account).find((one) => one.machine === machine),
    /** Whether its GPUs were seen at work within the time that counts as idle. */
    atWork(account: AccountId, machine: string): boolean {
      const busyAt = evidence.get(resourceKey(account, machine))?.gpu.busyAt ?? -Infinity
      return isRecent(busyAt, section.read().minutes * 60, now())
    },
    /** Adds a reading of a machine's GPUs. */
    addReading(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      const one = evidenceOf(account, machine)
      const { threshold } = section.read()
      // A GPU in instances (MIG), in error or without a value counts as not read: its CPU is read instead.
      one.gpu = withPoint(one.gpu, { time: at, busiest: busiestOf(gpus, threshold) }, threshold)
    },
    /** Checks now. */
    check,
    onChange: changes.on,
    /** Once the window is open, the beginnings of idle times are read that are not known yet. */
    windowChanged(isOpen: boolean): void {
      cpuReader.windowChanged(isOpen)
      if (!isOpen) return
      for (const one of evidence.values()) if (one.cpu && !one.hasCpuBeginning) one.cpuReadAt = -Infinity
      if (evidence.size > 0) void check()
    },
    /** The service is asked nothing while the computer sleeps; all is checked once it is back. */
    wakeChanged(awake: boolean): void {
      isAwake = awake
      if (awake) void check()
    },
    forgetAccount(account: AccountId): void {
      for (const key of evidence.keys()) if (isKeyOf(account, key)) evidence.delete(key)
      running.delete(account)
      found.delete(account)
      emitted.delete(account)
    },
    close(): void {
      isClosed = true
      cancelTimer()
    },
  }
}
