import type { AccountId } from '#shared/bridge/account'
import type { LoadView, MetricSeries } from '#shared/bridge/metrics'
import { FailureError } from '#shared/failure'
import { type MetricDuration, metricDurations } from '#shared/service/metrics'
import type { Accounts } from '../accounts/index'
import { clean, gapSteps, usualStep } from './clean'
import { durationSeconds } from './recordings'

export interface LoadsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  /** Epoch seconds. */
  now(): number
}

/** What was last heard of a machine's CPU. `series` is null where the service did not answer. */
interface Heard {
  readonly asked: number
  readonly duration: MetricDuration
  readonly series: MetricSeries | null
}

interface UnderWay {
  readonly duration: MetricDuration
  readonly answer: Promise<Heard>
}

const covers = (one: { readonly duration: MetricDuration }, wanted: MetricDuration): boolean =>
  durationSeconds[one.duration] >= durationSeconds[wanted]

/** Seconds between two questions about one machine, also where the first was refused. */
const every = 300
/** Questions under way at once. */
const atOnce = 4
/** Points of the line in the list: one for two minutes. */
const points = 30
const hour = 3_600
/** Seconds after which a value says nothing about now. */
const recent = 600

/**
 * The mean of each part of the hour before `asOf`; NaN where nothing is known. Where the service records more seldom
 * than the line has points, a value stands until the next. Pure.
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
  const stands = step > hour / points ? step * gapSteps : 0
  const cpu = sums.map((sum, at) => {
    if (counts[at] || stands === 0) return sum / (counts[at] ?? 0)
    const end = asOf - (hour / points) * (points - 1 - at)
    const before = times.findLastIndex((time) => time <= end)
    return end - (times[before] ?? -Infinity) <= stands ? (values[before] ?? Number.NaN) : Number.NaN
  })
  return { asOf, cpu, now: last }
}

/** The CPU of many machines over the last hours, asked sparingly: each every five minutes, a few at once. */
export function createLoads({ accounts, now }: LoadsDeps) {
  const heard = new Map<string, Heard>()
  const asking = new Map<string, UnderWay>()
  const waiting: (() => void)[] = []
  let free = atOnce

  async function inTurn<Value>(task: () => Promise<Value>): Promise<Value> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  async function ask(account: AccountId, machine: string, duration: MetricDuration): Promise<Heard> {
    const asked = now()
    const series = await inTurn(async () =>
      accounts.service(account).machines.metrics(machine, duration),
    ).then(
      (answer) => clean(answer).series.cpu,
      (error: unknown) => {
        // The list stays as it is without it; whoever wants to know why opens the machine.
        if (error instanceof FailureError) return null
        throw error
      },
    )
    return { asked, duration, series }
  }

  async function hear(account: AccountId, machine: string, duration: MetricDuration): Promise<Heard> {
    const key = `${account}/${machine}`
    const known = heard.get(key)
    if (known && covers(known, duration) && now() - known.asked < every) return known
    const underWay = asking.get(key)
    if (underWay && covers(underWay, duration)) return underWay.answer
    if (underWay) {
      // Less of the past than is wanted here: asked again, once it is there.
      await underWay.answer.catch(() => undefined)
      return hear(account, machine, duration)
    }
    const own = { duration, answer: ask(account, machine, duration) }
    asking.set(key, own)
    try {
      const fresh = await own.answer
      if (asking.get(key) === own) heard.set(key, fresh)
      return fresh
    } finally {
      if (asking.get(key) === own) asking.delete(key)
    }
  }

  return {
    /** Null where the service does not answer for this machine. */
    async lastHour(account: AccountId, machine: string): Promise<LoadView | null> {
      const { series, asked } = await hear(account, machine, '1h')
      return series && lastHourOf(series, asked)
    },
    /**
     * The CPU in percent over the last `seconds` at least (30 days at most), as the service recorded it, gaps as NaN;
     * null where it does not answer.
     */
    async cpu(account: AccountId, machine: string, seconds: number): Promise<MetricSeries | null> {
      const duration = metricDurations.find((one) => durationSeconds[one] >= seconds) ?? '30d'
      return (await hear(account, machine, duration)).series
    },
    forgetAccount(account: AccountId): void {
      for (const known of [heard, asking]) {
        for (const key of [...known.keys()]) if (key.startsWith(`${account}/`)) known.delete(key)
      }
    },
  }
}
export type Loads = ReturnType<typeof createLoads>
