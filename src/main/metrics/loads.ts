import pLimit from 'p-limit'
import type { AccountId } from '#shared/bridge/account'
import type { LoadView, MetricSeries } from '#shared/bridge/metrics'
import { FailureError } from '#shared/failure'
import { durationSeconds, type MetricDuration, metricDurations } from '#shared/service/metrics'
import type { Clock } from '../core/clock'
import type { Accounts } from '../accounts/index'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { clean, gapSteps, usualStep } from './clean'
import { isRecent } from '../core/elapsed'

export interface LoadsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly now: Clock['now']
}

/** Last reading of a machine's CPU. `series` is null if the service did not answer. */
interface CpuReading {
  readonly readAt: number
  readonly duration: MetricDuration
  readonly series: MetricSeries | null
}

interface InFlight {
  readonly duration: MetricDuration
  readonly answer: Promise<CpuReading>
}

const covers = (reading: { readonly duration: MetricDuration }, wanted: MetricDuration): boolean =>
  durationSeconds[reading.duration] >= durationSeconds[wanted]

/** Pause between two requests for one machine, also after a refusal. */
const minIntervalSeconds = 300
const maxConcurrent = 4
/** Number of points of the line in the list: one per two minutes. */
const points = 30
const hourSeconds = 3_600
/** Age in seconds up to which a value describes the present. */
const maxAgeSeconds = 600

/**
 * Returns the mean of each part of the hour before `asOf`; NaN if it is unknown. If the service records less often than
 * the line has points, a value holds until the next one. Pure.
 */
export function lastHourOf({ times, values }: MetricSeries, asOf: number): LoadView {
  const sums = new Float64Array(points)
  const counts = new Float64Array(points)
  let last: number | null = null
  for (let index = 0; index < times.length; index += 1) {
    const value = values[index] ?? Number.NaN
    const age = asOf - (times[index] ?? 0)
    if (Number.isNaN(value) || age < 0 || age >= hourSeconds) continue
    const point = points - 1 - Math.floor((age / hourSeconds) * points)
    sums[point] = (sums[point] ?? 0) + value
    counts[point] = (counts[point] ?? 0) + 1
    if (age < maxAgeSeconds) last = value
  }
  const step = usualStep(times) ?? 0
  const holdsFor = step > hourSeconds / points ? step * gapSteps : 0
  const cpu = sums.map((sum, index) => {
    if (counts[index] || holdsFor === 0) return sum / (counts[index] ?? 0)
    const end = asOf - (hourSeconds / points) * (points - 1 - index)
    const previous = times.findLastIndex((time) => time <= end)
    return end - (times[previous] ?? -Infinity) <= holdsFor ? (values[previous] ?? Number.NaN) : Number.NaN
  })
  return { asOf, cpu, now: last }
}

/** Period of a reading that is retained: longer periods are rarely needed again and large. */
const retainedDuration = '2h'

function lastHours({ readAt, duration, series }: CpuReading): CpuReading {
  if (!series || durationSeconds[duration] <= durationSeconds[retainedDuration])
    return { readAt, duration, series }
  const from = series.times.findIndex((time) => time > readAt - durationSeconds[retainedDuration])
  const firstIndex = from < 0 ? series.times.length : from
  const retained = { times: series.times.slice(firstIndex), values: series.values.slice(firstIndex) }
  return { readAt, duration: retainedDuration, series: retained }
}

/** Reads the CPU load of many machines sparingly: each machine every five minutes, a few at once. */
export function createLoads({ accounts, now }: LoadsDeps) {
  const readings = new Map<string, CpuReading>()
  const inFlight = new Map<string, InFlight>()
  const limit = pLimit(maxConcurrent)

  async function request(account: AccountId, machine: string, duration: MetricDuration): Promise<CpuReading> {
    const readAt = now()
    const series = await limit(async () =>
      accounts.service(account).machines.metrics(machine, duration),
    ).then(
      (answer) => clean(answer).series.cpu,
      (error: unknown) => {
        // The list omits the load; the machine's page shows the failure.
        if (error instanceof FailureError) return null
        throw error
      },
    )
    return { readAt, duration, series }
  }

  async function read(account: AccountId, machine: string, duration: MetricDuration): Promise<CpuReading> {
    const key = resourceKey(account, machine)
    const known = readings.get(key)
    if (known && covers(known, duration) && isRecent(known.readAt, minIntervalSeconds, now())) return known
    const running = inFlight.get(key)
    if (running && covers(running, duration)) return running.answer
    if (running) {
      // The running request covers a shorter period.
      await running.answer.catch(() => undefined)
      return read(account, machine, duration)
    }
    const current = { duration, answer: request(account, machine, duration) }
    inFlight.set(key, current)
    try {
      const fresh = await current.answer
      if (inFlight.get(key) === current) readings.set(key, lastHours(fresh))
      return fresh
    } finally {
      if (inFlight.get(key) === current) inFlight.delete(key)
    }
  }

  return {
    /** Returns null if the service does not answer for this machine. */
    async lastHour(account: AccountId, machine: string): Promise<LoadView | null> {
      const { series, readAt } = await read(account, machine, '1h')
      return series && lastHourOf(series, readAt)
    },
    /**
     * Returns the CPU load in percent over at least the last `seconds` (at most 30 days), with gaps as NaN; null if the
     * service does not answer.
     */
    async cpu(account: AccountId, machine: string, seconds: number): Promise<MetricSeries | null> {
      const duration = metricDurations.find((candidate) => durationSeconds[candidate] >= seconds) ?? '30d'
      return (await read(account, machine, duration)).series
    },
    /** Returns the CPU load in percent if it was read recently; otherwise null. Sends no request. */
    known(account: AccountId, machine: string): number | null {
      const series = readings.get(resourceKey(account, machine))?.series
      return series ? lastHourOf(series, now()).now : null
    },
    forgetAccount(account: AccountId): void {
      for (const map of [readings, inFlight]) {
        for (const key of map.keys()) if (isKeyOf(account, key)) map.delete(key)
      }
    },
  }
}
export type Loads = ReturnType<typeof createLoads>
