import type { AccountId } from '#shared/bridge/account'
import type { GpuReading, GpuSeries } from '#shared/bridge/gpu'
import type { ReportError } from '../../core/report-error'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Store } from '../../store/database'
import { coarser, type GpuSample, hour, joined, minute, sampleOf } from './gpu-samples'
import { kept, sampleTable } from './sample-table'

/** Points of one chart per GPU: about as many as it has pixels. */
const pointsWanted = 400

/** GPUs of one machine that are kept in a run: one that names them anew at each reading would fill the store. */
const gpusKept = 64

/** Seconds between two rounds of thinning. */
export const thinEvery = hour

/** Seconds that one point of a chart over `seconds` stands for. */
export const periodFor = (seconds: number): number =>
  [minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour].find(
    (period) => seconds / period <= pointsWanted,
  ) ?? 24 * hour

/** The samples of one machine as curves, with a break where two points were not read. Pure. */
export function seriesOf(samples: readonly GpuSample[], period: number): GpuSeries[] {
  const byGpu = new Map<string, GpuSample[]>()
  for (const sample of samples) byGpu.set(sample.gpu, [...(byGpu.get(sample.gpu) ?? []), sample])
  const curves = [...byGpu].map(([gpu, own]) => {
    const points = own.flatMap((sample, at) => {
      const before = own[at - 1]
      const isBreak = before !== undefined && sample.time - before.time > 2 * period
      return isBreak ? [{ time: before.time + period }, sample] : [sample]
    })
    const curve = (value: (sample: GpuSample) => number | null) =>
      Float64Array.from(points, (point) => ('gpu' in point ? (value(point) ?? NaN) : NaN))
    return {
      gpu,
      index: own.at(-1)?.index ?? 0,
      time: Float64Array.from(points, ({ time }) => time),
      utilization: curve(({ utilization }) => utilization),
      memory: curve(({ memoryUsed, memoryTotal }) =>
        memoryUsed === null || !memoryTotal ? null : (100 * memoryUsed) / memoryTotal,
      ),
      temperature: curve(({ temperatureMax }) => temperatureMax),
      power: curve(({ power }) => power),
    }
  })
  return curves.sort((one, other) => one.index - other.index)
}

export interface SamplingDeps {
  readonly store: Pick<Store, 'database' | 'state'>
  readonly report: ReportError
}

/**
 * Readings as minutes: the running minute in memory, the others in the store. Where the store cannot be opened they
 * last as long as the application; the store itself sees to that.
 */
export function createSampling({ store, report }: SamplingDeps) {
  /** The running minute of every machine, by GPU. */
  const running = new Map<string, { account: AccountId; machine: string; gpus: Map<string, GpuSample> }>()

  /** By machine, the GPUs that are kept. */
  const known = new Map<string, Set<string>>()

  function isKept(machine: string, gpu: string): boolean {
    const gpus = known.get(machine) ?? new Set()
    known.set(machine, gpus)
    if (gpus.size < gpusKept) gpus.add(gpu)
    return gpus.has(gpu)
  }

  const table = () => {
    const database = store.database()
    return database && sampleTable(database)
  }
  function attempt<Value>(act: () => Value, otherwise: Value): Value {
    try {
      return act()
    } catch (error) {
      report('gpu.samples', error)
      return otherwise
    }
  }

  function flush(key: string): void {
    const one = running.get(key)
    running.delete(key)
    if (one) attempt(() => table()?.add(one.account, one.machine, [...one.gpus.values()]), undefined)
  }

  return {
    add(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      const key = resourceKey(account, machine)
      const time = Math.floor(at / minute) * minute
      const [first] = running.get(key)?.gpus.values() ?? []
      if (first && first.time !== time) flush(key)
      const one = running.get(key) ?? { account, machine, gpus: new Map<string, GpuSample>() }
      running.set(key, one)
      for (const gpu of gpus) {
        if (!isKept(key, gpu.id)) continue
        const sample = sampleOf(gpu, at, minute)
        const sofar = one.gpus.get(gpu.id)
        one.gpus.set(gpu.id, sofar ? joined(sofar, sample) : sample)
      }
    },
    /** The highest utilization of any GPU per minute since `from`; null where one had none. Oldest first. */
    busiest: (account: AccountId, machine: string, from: number) =>
      attempt(() => table()?.busiest(account, machine, from) ?? [], []),
    history(account: AccountId, machine: string, seconds: number, now: number) {
      const period = periodFor(seconds)
      const from = Math.floor((now - seconds) / period) * period
      const minutes = attempt(() => table()?.read(account, machine, minute, from) ?? [], [])
      // Older minutes were thinned to hours.
      const hours =
        seconds <= kept[minute] && period < hour
          ? []
          : attempt(() => table()?.read(account, machine, hour, from) ?? [], [])
      const underWay = [...(running.get(resourceKey(account, machine))?.gpus.values() ?? [])]
      const samples = coarser([...hours, ...minutes, ...underWay], period)
      return { period, kept: store.state().kind === 'open', gpus: seriesOf(samples, period) }
    },
    /** A bounded piece of thinning; true while more is left to do. */
    thin: (now: number): boolean => attempt(() => table()?.thin(now) ?? false, false),
    forget(account: AccountId, machines: readonly string[]): void {
      for (const machine of machines) {
        running.delete(resourceKey(account, machine))
        known.delete(resourceKey(account, machine))
      }
      attempt(() => table()?.forget(account, machines), undefined)
    },
    forgetAccount(account: AccountId): void {
      for (const [key, one] of running) if (one.account === account) running.delete(key)
      for (const key of known.keys()) if (isKeyOf(account, key)) known.delete(key)
      attempt(() => table()?.forgetAccount(account), undefined)
    },
    flush: (): void => [...running.keys()].forEach(flush),
  }
}
