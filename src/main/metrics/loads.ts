import pLimit from 'p-limit'
import type { AccountId } from '#shared/bridge/account'
import type { LoadView, MetricSeries } from '#shared/bridge/metrics'
import { FailureError } from '#shared/failure'
import { type MetricDuration, metricDurations } from '#shared/service/metrics'
import type { Clock } from '../core/clock'
import type { Accounts } from '../accounts/index'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { clean, gapSteps, usualStep } from './clean'
import { durationSeconds } from './recordings'
import { isRecent } from '../core/elapsed'

export interface LoadsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly now: Clock['now']
}

/** A machine's CPU as last read. `series` is null where the service did not answer. */
interface CpuReading {
  readonly readAt: number
  readonly duration: MetricDuration
  readonly series: MetricSeries | null
}

interface InFlight {
  readonly duration: MetricDuration
  readonly answer: Promise<CpuReading>
}

const covers = (one: { readonly duration: MetricDuration }, wanted: MetricDuration): boolean =>
  durationSeconds[one.duration] >= durationSeconds[wanted]

/** Seconds between two requests for one machine, also where the first was refused. */
const every = 300
/** Requests at once. */
const atOnce = 4
/** Points of the line in the list: one for two minutes. */
const points = 30
const hour = 3_600
/** Seconds after which a value says nothing about now. */
const recent = 600

/**
 * The mean of each part of the hour before `asOf`; NaN where it is unknown. Where the service records more seldom
 * than the line has points, a value holds until the next. Pure.
 */
export function lastHourOf({ times, values }: MetricSeries, asOf: number): LoadView {
  const sums = new Float64Array(points)
  const counts = new Float64Array(points)
  let last: number | null = null
  for (let at = 0; at < times.length; at += 1) {
    const value = values[at] ?? Number.NaN
    const age = asOf - (times[at] ?? 0)
    if (Number.isNaN(value) || age < 0 || age >= hour) continue
    const place = points - 1 - Math.floor((age / hour) * points)
    sums[place] = (sums[place] ?? 0) + value
    counts[place] = (counts[place] ?? 0) + 1
    if (age < recent) last = value
  }
  const step = usualStep(times) ?? 0
  const holdsFor = step > hour / points ? step * gapSteps : 0
  const cpu = sums.map((sum, at) => {
    if (counts[at] || holdsFor === 0) return sum / (counts[at] ?? 0)
    const end = asOf - (hour / points) * (points - 1 - at)
    const before = times.findLastIndex((time) => time <= end)
    return end - (times[before] ?? -Infinity) <= holdsFor ? (values[before] ?? Number.NaN) : Number.NaN
  })
  return { asOf, cpu, now: last }
}

/** What is kept of a reading: of a month of each of many machines little is asked for again. */
const keptDuration = '2h'

/** The end of a reading. Pure. */
function lastHours({ readAt, duration, series }: CpuReading): CpuReading {
  if (!series || durationSeconds[duration] <= durationSeconds[keptDuration])
    return { readAt, duration, series }
  const from = series.times.findIndex((time) => time > readAt - durationSeconds[keptDuration])
  const end = from < 0 ? series.times.length : from
  const kept = { times: series.times.slice(end), values: series.values.slice(end) }
  return { readAt, duration: keptDuration, series: kept }
}

/** The CPU of many machines over the last hours, read sparingly: each every five minutes, a few at once. */
export function createLoads({ accounts, now }: LoadsDeps) {
  const readings = new Map<string, CpuReading>()
  const inFlight = new Map<string, InFlight>()
  const limit = pLimit(atOnce)

  async function request(account: AccountId, machine: string, duration: MetricDuration): Promise<CpuReading> {
    const readAt = now()
    const series = await limit(async () =>
      accounts.service(account).machines.metrics(machine, duration),
    ).then(
      (answer) => clean(answer).series.cpu,
      (error: unknown) => {
        // The list does without; the machine's own page shows the failure.
        if (error instanceof FailureError) return null
        throw error
      },
    )
    return { readAt, duration, series }
  }

  async function read(account: AccountId, machine: string, duration: MetricDuration): Promise<CpuReading> {
    const key = resourceKey(account, machine)
    const known = readings.get(key)
    if (known && covers(known, duration) && isRecent(known.readAt, every, now())) return known
    const running = inFlight.get(key)
    if (running && covers(running, duration)) return running.answer
    if (running) {
      // It reads less of the past than is wanted here.
      await running.answer.catch(() => undefined)
      return read(account, machine, duration)
    }
    const own = { duration, answer: request(account, machine, duration) }
    inFlight.set(key, own)
    try {
      const fresh = await own.answer
      if (inFlight.get(key) === own) readings.set(key, lastHours(fresh))
      return fresh
    } finally {
      if (inFlight.get(key) === own) inFlight.delete(key)
    }
  }

  return {
    /** Null where the service does not answer for this machine. */
    async lastHour(account: AccountId, machine: string): Promise<LoadView | null> {
      const { series, readAt } = await read(account, machine, '1h')
      return series && lastHourOf(series, readAt)
    },
    /**
     * The CPU in percent over the last `seconds` at least (30 days at most), as the service recorded it, gaps as NaN;
     * null where it does not answer.
     */
    async cpu(account: AccountId, machine: string, seconds: number): Promise<MetricSeries | null> {
      const duration = metricDurations.find((one) => durationSeconds[one] >= seconds) ?? '30d'
      return (await read(account, machine, duration)).series
    },
    /** The CPU in percent as last read, where that is not long ago; null elsewhere. Nothing is asked for. */
    known(account: AccountId, machine: string): number | null {
      const series = readings.get(resourceKey(account, machine))?.series
      return series ? lastHourOf(series, now()).now : null
    },
    forgetAccount(account: AccountId): void {
      for (const known of [readings, inFlight]) {
        for (const key of known.keys()) if (isKeyOf(account, key)) known.delete(key)
      }
    },
  }
}
export type Loads = ReturnType<typeof createLoads>
