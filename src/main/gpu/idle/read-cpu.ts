import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../../core/clock'
import { averaged, averagedOver } from './averaged'
import { chainOf } from './chain'
import type { LoadEvidence } from './load-evidence'

export interface CpuReaderDeps {
  /** The CPU as the service recorded it over the last `seconds`; null where it does not answer. */
  cpu(
    account: AccountId,
    machine: string,
    seconds: number,
  ): Promise<{ readonly times: Float64Array; readonly values: Float64Array } | null>
  /** Percent under which a machine does nothing. */
  threshold(): number
  readonly clock: Pick<Clock, 'now'>
}

const aDay = 86_400
/** Seconds of CPU metrics that are read, step by step: more of the past only where all of the last step was idle. */
const cpuSpans = [7_200, aDay, 7 * aDay, 30 * aDay] as const
/**
 * Seconds of the past that are read in the background, at first and in each second: a month of one machine is four
 * megabytes, and many machines may be idle. The idle ones are found all the same; since when, by and by.
 */
const pastAtFirst = 90 * aDay
const pastEachSecond = (2 * aDay) / 60

/** Reads what the CPUs of machines did, and since when they do nothing. */
export function createCpuReader({ cpu, threshold, clock }: CpuReaderDeps) {
  const { now } = clock
  let isWindowOpen = false
  /** Seconds of the past that may be read in the background, as of `allowedAt`. */
  let allowed = pastAtFirst
  let allowedAt = now()

  /** Whether more of the past is read now. What one reading takes too much is missing from the next. */
  function takePast(seconds: number): boolean {
    if (isWindowOpen) return true
    allowed = Math.min(pastAtFirst, allowed + Math.max(0, now() - allowedAt) * pastEachSecond)
    allowedAt = now()
    if (allowed <= 0) return false
    allowed -= seconds
    return true
  }

  return {
    windowChanged: (isOpen: boolean): void => void (isWindowOpen = isOpen),
    async read(account: AccountId, machine: string, one: LoadEvidence): Promise<void> {
      one.cpuReadAt = now()
      const before = one.cpu
      for (const seconds of cpuSpans) {
        if (seconds > cpuSpans[0] && !takePast(seconds)) return
        const series = await cpu(account, machine, seconds)
        if (!series) return
        const points = averaged(series.times, series.values)
        const last = points.at(-1)
        if (!last) return
        one.cpuAt = last.time
        const chain = chainOf(points, threshold())
        const goesOn = chain && before && before.last >= chain.since - averagedOver
        one.cpu = goesOn ? { since: Math.min(before.since, chain.since), last: chain.last } : (chain ?? null)
        const [first = last] = points
        const reachesBack = chain !== undefined && chain.since - first.time < averagedOver
        const isAll = now() - first.time < seconds - 2 * averagedOver
        // Once the beginning is known, what is read later only lengthens it.
        one.hasCpuBeginning = (goesOn && one.hasCpuBeginning) || !reachesBack || isAll
        if (one.hasCpuBeginning) return
      }
      one.hasCpuBeginning = true
    },
  }
}
