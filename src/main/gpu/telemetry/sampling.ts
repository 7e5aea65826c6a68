import type { AccountId } from '#shared/bridge/account'
import type { GpuReading, GpuSeries } from '#shared/bridge/gpu'
import type { ReportError } from '../../core/report-error'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Store } from '../../store/database'
import { coarser, type GpuSample, hour, joined, minute, sampleOf } from './gpu-samples'
import { retentionSeconds, sampleTable } from './sample-table'

/** Upper bound on the points of a chart per GPU: about its width in pixels. */
const maxPoints = 400

/** Upper bound on the GPUs of one machine per run: GPUs with a new id at each reading would fill the store. */
const maxGpus = 64

export const thinIntervalSeconds = hour

/** Returns the seconds per point in a chart of `seconds`. */
export const periodFor = (seconds: number): number =>
  [minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour].find(
    (period) => seconds / period <= maxPoints,
  ) ?? 24 * hour

/** Converts the samples of one machine to curves, with a break if two points in a row are missing. Pure. */
export function seriesOf(samples: readonly GpuSample[], period: number): GpuSeries[] {
  const byGpu = new Map<string, GpuSample[]>()
  for (const sample of samples) byGpu.set(sample.gpu, [...(byGpu.get(sample.gpu) ?? []), sample])
  const curves = [...byGpu].map(([gpu, gpuSamples]) => {
    const points = gpuSamples.flatMap((sample, index) => {
      const previous = gpuSamples[index - 1]
      const isBreak = previous !== undefined && sample.time - previous.time > 2 * period
      return isBreak ? [{ time: previous.time + period }, sample] : [sample]
    })
    const curve = (value: (sample: GpuSample) => number | null) =>
      Float64Array.from(points, (point) => ('gpu' in point ? (value(point) ?? NaN) : NaN))
    return {
      gpu,
      index: gpuSamples.at(-1)?.index ?? 0,
      time: Float64Array.from(points, ({ time }) => time),
      utilization: curve(({ utilization }) => utilization),
      memory: curve(({ memoryUsed, memoryTotal }) =>
        memoryUsed === null || !memoryTotal ? null : (100 * memoryUsed) / memoryTotal,
      ),
      temperature: curve(({ temperatureMax }) => temperatureMax),
      power: curve(({ power }) => power),
    }
  })
  return curves.sort((a, b) => a.index - b.index)
}

export interface SamplingDeps {
  readonly store: Pick<Store, 'database' | 'state'>
  readonly report: ReportError
}

/**
 * Collects readings as minutes: the current minute in memory, earlier ones in the store. Without a store they last as
 * long as the application.
 */
export function createSampling({ store, report }: SamplingDeps) {
  const running = new Map<string, { account: AccountId; machine: string; gpus: Map<string, GpuSample> }>()
  /** Start of the current minute, in epoch seconds. */
  let current = 0

  /** Ids of the stored GPUs, by machine. */
  const gpusOf = new Map<string, Set<string>>()

  function isStored(machine: string, gpu: string): boolean {
    const gpus = gpusOf.get(machine) ?? new Set()
    gpusOf.set(machine, gpus)
    if (gpus.size < maxGpus) gpus.add(gpu)
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

  /** Stores the collected minutes of all machines. One transaction for all costs a fraction of one for each. */
  function flush(): void {
    if (running.size === 0) return
    const minutes = [...running.values()].map(({ account, machine, gpus }) => ({
      account,
      machine,
      samples: gpus.values(),
    }))
    running.clear()
    attempt(() => table()?.addAll(minutes), undefined)
  }

  return {
    add(account: AccountId, machine: string, gpus: readonly GpuReading[], at: number): void {
      const key = resourceKey(account, machine)
      const time = Math.floor(at / minute) * minute
      if (time !== current) flush()
      current = time
      const minutes = running.get(key) ?? { account, machine, gpus: new Map<string, GpuSample>() }
      running.set(key, minutes)
      for (const gpu of gpus) {
        if (!isStored(key, gpu.id)) continue
        const sample = sampleOf(gpu, at, minute)
        const earlier = minutes.gpus.get(gpu.id)
        minutes.gpus.set(gpu.id, earlier ? joined(earlier, sample) : sample)
      }
    },
    /**
     * Returns the load of a machine per minute since `from`, oldest first. `threshold`: percent from which GPUs are at work.
     * `gpu`: only this one; null: all.
     */
    loads: (
      account: AccountId,
      machine: string,
      from: number,
      threshold: number,
      gpu: string | null = null,
    ) => attempt(() => table()?.loads(account, machine, from, threshold, gpu) ?? [], []),
    /** Returns the index of each GPU with samples since `from`, by its id. */
    gpus: (account: AccountId, machine: string, from: number): ReadonlyMap<string, number> =>
      attempt(() => table()?.gpus(account, machine, from) ?? new Map(), new Map()),
    /** Returns the lowest power of each GPU without work; undefined without a store. */
    idlePower: (account: AccountId, machine: string) =>
      attempt(() => table()?.idlePower(account, machine), undefined),
    history(account: AccountId, machine: string, seconds: number, now: number) {
      const period = periodFor(seconds)
      const from = Math.floor((now - seconds) / period) * period
      const stored = attempt(() => table()?.read(account, machine, minute, from) ?? [], [])
      // Older minutes were thinned to hours.
      const hours =
        seconds <= retentionSeconds[minute] && period < hour
          ? []
          : attempt(() => table()?.read(account, machine, hour, from) ?? [], [])
      const unstored = running.get(resourceKey(account, machine))?.gpus.values() ?? []
      const samples = coarser([...hours, ...stored, ...unstored], period)
      return { period, kept: store.state().kind === 'open', gpus: seriesOf(samples, period) }
    },
    thin: (now: number): boolean => attempt(() => table()?.thin(now) ?? false, false),
    forget(account: AccountId, machines: readonly string[]): void {
      for (const machine of machines) {
        running.delete(resourceKey(account, machine))
        gpusOf.delete(resourceKey(account, machine))
      }
      attempt(() => table()?.forget(account, machines), undefined)
    },
    forgetAccount(account: AccountId): void {
      for (const [key, minutes] of running) if (minutes.account === account) running.delete(key)
      for (const key of gpusOf.keys()) if (isKeyOf(account, key)) gpusOf.delete(key)
      attempt(() => table()?.forgetAccount(account), undefined)
    },
    flush,
  }
}
