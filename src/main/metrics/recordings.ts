import type { AccountId } from '#shared/bridge/account'
import type { MetricPeriod } from '#shared/bridge/metrics'
import { type MetricDuration, metricDurations } from '#shared/service/metrics'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import type { Accounts } from '../accounts/index'
import { clean, type Recorded } from './clean'
import { bounded } from './bounded-cache'
import { merged, sizeOf } from './merge'
import { isRecent } from '../core/elapsed'

const hour = 3_600
const day = 86_400

/** Seconds that a period covers (api-spec.md §4). */
export const durationSeconds: Readonly<Record<MetricDuration, number>> = {
  '1h': hour,
  '2h': 2 * hour,
  '4h': 4 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '15d': 15 * day,
  '30d': 30 * day,
}

/** What the service recorded of a machine in a period, and when it was asked last (epoch seconds). */
export interface Recording {
  readonly recorded: Recorded
  readonly asOf: number
}

export interface RecordingQuery {
  readonly account: AccountId
  readonly machine: string
  readonly period: MetricPeriod
}

export interface RecordingsDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly now: Clock['now']
}

/** Bytes of measurements in memory: some twenty machines with 30 days each. */
const memoryLimit = 64 * 1024 * 1024
/** Seconds that are asked for again, since the service may add to the minutes just past. */
const overlap = 300

/** The shortest period that covers so many seconds; undefined where none does. */
const covering = (seconds: number): MetricDuration | undefined =>
  metricDurations.find((duration) => durationSeconds[duration] >= seconds)

/** Measurements as they came, kept for zooming. What is asked for again is asked only for what is new. */
export function createRecordings({ accounts, now }: RecordingsDeps) {
  const kept = bounded<Recording>(memoryLimit, ({ recorded }) => sizeOf(recorded))
  const asking = new Map<string, Promise<Recording>>()

  const ask = async ({ account, machine, period }: RecordingQuery, known: Recording | undefined) => {
    const duration = period === 'all' ? undefined : period
    const since = known && known.asOf <= now() ? covering(now() - known.asOf + overlap) : undefined
    const shorter =
      known !== undefined &&
      since !== undefined &&
      (duration === undefined || durationSeconds[since] < durationSeconds[duration])
    const asOf = now()
    const { metrics } = accounts.service(account).machines
    const newer = clean(await metrics(machine, shorter ? since : duration))
    const keptFrom = duration === undefined ? -Infinity : asOf - durationSeconds[duration]
    return { recorded: shorter ? merged(known.recorded, newer, keptFrom) : newer, asOf }
  }

  return {
    /**
     * `age`: how old an answer may be, in seconds; a question that is under way is shared whatever its age. Fails as
     * the client does.
     */
    async read(query: RecordingQuery, age: number): Promise<Recording> {
      const key = resourceKey(query.account, `${query.machine}/${query.period}`)
      const known = kept.get(key)
      if (known && isRecent(known.asOf, age, now())) return known
      const underWay = asking.get(key)
      if (underWay) return underWay
      const answer = ask(query, known)
      asking.set(key, answer)
      try {
        const recording = await answer
        // Nothing is kept of an account that was forgotten since.
        if (asking.get(key) === answer) kept.set(key, recording)
        return recording
      } finally {
        if (asking.get(key) === answer) asking.delete(key)
      }
    },
    forgetAccount(account: AccountId): void {
      kept.forget(resourceKey(account, ''))
      for (const key of asking.keys()) if (isKeyOf(account, key)) asking.delete(key)
    },
  }
}
