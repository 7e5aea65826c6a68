import type { AccountId } from '#shared/bridge/account'
import type { MetricPeriod } from '#shared/bridge/metrics'
import { durationSeconds, type MetricDuration, metricDurations } from '#shared/service/metrics'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import type { Accounts } from '../accounts/index'
import { clean, type Recorded } from './clean'
import { bounded } from './bounded-cache'
import { merged, sizeOf } from './merge'
import { isRecent } from '../core/elapsed'

/** Data of a machine in a period, and the time of the last request (epoch seconds). */
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

/** Upper bound on the memory for recordings: some twenty machines with 30 days each. */
const maxBytes = 64 * 1024 * 1024
/** Period that is requested again, since the service may add to the most recent minutes. */
const overlapSeconds = 300

const covering = (seconds: number): MetricDuration | undefined =>
  metricDurations.find((duration) => durationSeconds[duration] >= seconds)

/** Reads recordings and caches them for zooming. Later requests cover only the new part. */
export function createRecordings({ accounts, now }: RecordingsDeps) {
  const cache = bounded<Recording>(maxBytes, ({ recorded }) => sizeOf(recorded))
  const running = new Map<string, Promise<Recording>>()

  const request = async ({ account, machine, period }: RecordingQuery, known: Recording | undefined) => {
    const duration = period === 'all' ? undefined : period
    const since = known && known.asOf <= now() ? covering(now() - known.asOf + overlapSeconds) : undefined
    const isPartial =
      known !== undefined &&
      since !== undefined &&
      (duration === undefined || durationSeconds[since] < durationSeconds[duration])
    const asOf = now()
    const { metrics } = accounts.service(account).machines
    const newer = clean(await metrics(machine, isPartial ? since : duration))
    const keptFrom = duration === undefined ? -Infinity : asOf - durationSeconds[duration]
    return { recorded: isPartial ? merged(known.recorded, newer, keptFrom) : newer, asOf }
  }

  return {
    /**
     * Reads a recording that is at most `age` seconds old. A running request is shared whatever its age. Fails as the
     * client does.
     */
    async read(query: RecordingQuery, age: number): Promise<Recording> {
      const key = resourceKey(query.account, `${query.machine}/${query.period}`)
      const known = cache.get(key)
      if (known && isRecent(known.asOf, age, now())) return known
      const current = running.get(key)
      if (current) return current
      const answer = request(query, known)
      running.set(key, answer)
      try {
        const recording = await answer
        // The account may have been forgotten since.
        if (running.get(key) === answer) cache.set(key, recording)
        return recording
      } finally {
        if (running.get(key) === answer) running.delete(key)
      }
    },
    forgetAccount(account: AccountId): void {
      cache.forget(resourceKey(account, ''))
      for (const key of running.keys()) if (isKeyOf(account, key)) running.delete(key)
    },
  }
}
