import type { AccountId } from '#shared/bridge/account'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading } from '#shared/bridge/gpu'
import { type idleCalls, type IdleMachine, IdleSettings } from '#shared/bridge/idle'
import type { HandlersOf } from '#shared/bridge/index'
import { type Money, timesMoney } from '#shared/money/money'
import { machineState } from '#shared/service/machine-state'
import type { Accounts } from '../../accounts/index'
import type { FoundAlert } from '../../alerts/index'
import type { SettingsStore } from '../../store/settings'
import { calmed, cpuStretch } from './averaged'
import { chainOf } from './chain'
import { joinedPast, type KeptLoad, recalledPast, withPoint } from '../gpu-past'
import { type Heard, judge, nothingHeard } from './load-evidence'

export interface IdleDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly settings: Pick<SettingsStore, 'section'>
  machines(account: AccountId): readonly MachineView[]
  /** What the samples that were kept say. */
  busiest(account: AccountId, machine: string, from: number): ReturnType<KeptLoad>
  /** The CPU as the service recorded it over the last `seconds`; null where it does not answer. */
  cpu(
    account: AccountId,
    machine: string,
    seconds: number,
  ): Promise<{ readonly times: Float64Array; readonly values: Float64Array } | null>
  /** What these machines cost per hour, as far as it is known. */
  fees(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, Money>>
  /** The idle alerts that stand, and what is found now. */
  readonly alerts: {
    standing(account: AccountId): readonly AlertCause[]
    check(account: AccountId, found: readonly FoundAlert[]): void
  }
  /** Epoch seconds. */
  now(): number
  after(seconds: number, task: () => void): () => void
  online(): boolean
  report(action: string, error: unknown): void
}

/** Seconds between two looks, and before the first: the fleet has to be read. */
const lookEvery = 60
const firstLook = 20
/** Seconds between two questions for one machine's CPU, and machines asked about in one look. */
const askEvery = 900
const askedPerLook = 20
/** How far back an idle time is looked for, step by step (seconds): only what is idle all that time is asked further. */
const stretches = [7_200, 86_400, 604_800, 2_592_000] as const

const otherTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const keyOf = (account: AccountId, machine: string): string => `${account}/${machine}`

/** Null where one of them does not tell, unless another is at work: then all of them together are. */
const busiestOf = (gpus: readonly GpuReading[], threshold: number): number | null => {
  const known = gpus.flatMap(({ utilization }) => (typeof utilization === 'number' ? [utilization] : []))
  const highest = Math.max(...known)
  return highest >= threshold || (known.length === gpus.length && known.length > 0) ? highest : null
}

/** Machines that cost money and do nothing: by their GPUs where these are read over SSH, else by what the CPU does. */
export function createIdle(deps: IdleDeps) {
  const { accounts, now, after } = deps
  const section = deps.settings.section('idle', IdleSettings)
  const heard = new Map<string, Heard>()
  const found = new Map<AccountId, readonly IdleMachine[]>()
  const shown = new Map<AccountId, string>()
  const listeners = new Set<(account: AccountId, machines: IdleMachine[]) => void>()
  let cancel = (): void => undefined
  /** The looks that are under way. */
  const looking = new Map<AccountId, symbol>()
  let ended = false

  const of = (account: AccountId, machine: string): Heard => {
    const key = keyOf(account, machine)
    const known = heard.get(key) ?? nothingHeard()
    heard.set(key, known)
    return known
  }

  const candidates = (account: AccountId): readonly MachineView[] =>
    deps
      .machines(account)
      .filter(({ status, flavor }) => machineState(status) === 'running' && flavor.gpuCount !== 0)

  /** Adds what the samples of earlier runs say, once; true where that took time. */
  function recall(account: AccountId, machine: string, one: Heard): boolean {
    if (one.isRecalled) return false
    const { threshold } = section.read()
    const past = recalledPast((from) => deps.busiest(account, machine, from), threshold, now())
    if (!past) return false
    one.gpu = joinedPast(past, one.gpu)
    one.isRecalled = true
    return past.from !== undefined
  }

  /** Of an account that was removed while it was looked at nothing is told, and nothing remembered. */
  const isOver = (account: AccountId, turn: symbol): boolean =>
    ended || looking.get(account) !== turn || !accounts.view().accounts.some(({ id }) => id === account)

  async function askCpu(account: AccountId, machine: string, one: Heard): Promise<void> {
    const { threshold } = section.read()
    one.cpuAsked = now()
    const before = one.cpu
    for (const seconds of stretches) {
      const series = await deps.cpu(account, machine, seconds)
      if (!series) return
      const points = calmed(series.times, series.values)
      const last = points.at(-1)
      if (!last) return
      one.cpuAt = last.time
      const chain = chainOf(points, threshold)
      const goesOn = chain && before && before.last >= chain.since - cpuStretch
      one.cpu = goesOn ? { since: Math.min(before.since, chain.since), last: chain.last } : (chain ?? null)
      const [first = last] = points
      const reaches = chain !== undefined && chain.since - first.time < cpuStretch
      const isWhole = now() - first.time < seconds - 2 * cpuStretch
      // Once the beginning is known, what was heard meanwhile only lengthens it.
      one.cpuBegun = (goesOn && one.cpuBegun) || !reaches || isWhole
      if (one.cpuBegun) return
    }
    one.cpuBegun = true
  }

  const costUntil = (one: Heard, strength: IdleMachine['strength']): number =>
    Math.max(now(), (strength === 'cpu' ? one.cpu?.last : undefined) ?? 0)

  async function lookAt(account: AccountId, turn: symbol): Promise<void> {
    const machines = candidates(account)
    for (const { id } of machines) {
      // A week of samples is read at once: other work has its turn between two machines.
      if (recall(account, id, of(account, id))) await otherTurn()
      if (isOver(account, turn)) return
    }
    // What the GPUs say does not wait for the service.
    await conclude(account, machines, turn)
    const isSignedIn = accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'
    if (!isSignedIn || !deps.online()) return
    const due = machines
      .map(({ id }) => ({ id, one: of(account, id) }))
      .filter(({ one }) => now() - one.cpuAsked >= askEvery && now() - one.gpu.told > lookEvery * 3)
      .sort((a, b) => a.one.cpuAsked - b.one.cpuAsked)
      .slice(0, askedPerLook)
    for (const { id, one } of due) {
      await askCpu(account, id, one)
      if (isOver(account, turn)) return
    }
    if (due.length > 0) await conclude(account, machines, turn)
  }

  async function conclude(account: AccountId, machines: readonly MachineView[], turn: symbol): Promise<void> {
    const judged = machines.map((machine) => ({
      machine,
      verdict: judge(of(account, machine.id), section.read(), now()),
    }))
    const idle = judged.flatMap(({ machine, verdict }) =>
      typeof verdict === 'string' ? [] : [{ machine, ...verdict }],
    )
    const fees = idle.length === 0 ? new Map<string, Money>() : await feesOf(account, idle)
    if (isOver(account, turn)) return
    const next = idle.map(({ machine: { id, name }, since, strength }): IdleMachine => {
      const perHour = fees.get(id) ?? null
      const seconds = Math.max(0, Math.round(costUntil(of(account, id), strength) - since))
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
    tellAlerts(
      account,
      machines,
      judged.flatMap(({ machine, verdict }) => (verdict === 'unknown' ? machine.id : [])),
    )
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

  function publish(account: AccountId, machines: readonly IdleMachine[]): void {
    const sorted = machines.toSorted(
      (one, other) => (other.cost?.millionths ?? 0) - (one.cost?.millionths ?? 0) || one.since - other.since,
    )
    found.set(account, sorted)
    const text = JSON.stringify(sorted)
    if (shown.get(account) === text) return
    shown.set(account, text)
    listeners.forEach((listener) => listener(account, sorted))
  }

  /** An alert of a machine about which nobody knows anything now stands as it stood. */
  function tellAlerts(
    account: AccountId,
    machines: readonly MachineView[],
    unknown: readonly string[],
  ): void {
    // Before the fleet was read nothing can be said to be over.
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
  async function look(): Promise<void> {
    if (ended) return
    cancel()
    cancel = after(lookEvery, () => void look())
    await Promise.all(accounts.view().accounts.map(({ id }) => lookOnce(id)))
  }
  async function lookOnce(account: AccountId): Promise<void> {
    if (looking.has(account)) return
    const turn = Symbol(account)
    looking.set(account, turn)
    await lookAt(account, turn).catch((error: unknown) => deps.report('idle.look', error))
    if (looking.get(account) === turn) looking.delete(account)
  }
  cancel = after(firstLook, () => void look())

  const handlers: HandlersOf<typeof idleCalls> = {
    'idle.list': ({ account }) => [...(found.get(account) ?? [])],
    'idle.settings': () => section.read(),
    'idle.configure': async (next) => {
      const before = section.read()
      const written = section.change(() => next)
      // Under another threshold every point counts anew.
      if (before.threshold !== next.threshold) heard.clear()
      void look()
      await written
      return section.read()
    },
  }

  return {
    handlers,
    list: (account: AccountId): readonly IdleMachine[] => found.get(account) ?? [],
    of: (account: AccountId, machine: string): IdleMachine | undefined =>
      found.get(account)?.find((one) => one.machine === machine),
    /** The GPUs of a machine were read. */
    read(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      const one = of(account, machine)
      const { threshold } = section.read()
      // A GPU in parts (MIG), one in error or without such a value is as one that nobody read: its CPU is asked.
      one.gpu = withPoint(one.gpu, { time: at, busiest: busiestOf(gpus, threshold) }, threshold)
    },
    /** Looks now. */
    look,
    onChange(listener: (account: AccountId, machines: IdleMachine[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forgetAccount(account: AccountId): Promise<void> {
      for (const key of [...heard.keys()]) if (key.startsWith(`${account}/`)) heard.delete(key)
      looking.delete(account)
      found.delete(account)
      shown.delete(account)
      return Promise.resolve()
    },
    close(): void {
      ended = true
      cancel()
    },
  }
}
export type Idle = ReturnType<typeof createIdle>
