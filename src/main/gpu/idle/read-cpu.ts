import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../../core/clock'
import { averaged, averagedOver } from './average-load'
import { chainOf } from './idle-chain'
import type { LoadEvidence } from './idle-verdict'

export interface CpuReaderDeps {
  /** The CPU as the service recorded it over the last `seconds`; null where it does not answer. */
  cpu(
    account: AccountId,
    machine: string,
    seconds: number,
  ): Promise<{ readonly times: Float64Array; readonly values: Float64Array } | null>
  /** Percent under which a machine does nothing. */
  threshold(): number
  /** Minutes without work after which a machine counts as idle. */
  minutes(): number
  readonly clock: Pick<Clock, 'now'>
}

const aDay = 86_400
/** Seconds of CPU metrics that are read, step by step: more of the past only where all of the last step was idle. */
const cpuSpans = [7_200, aDay, 7 * aDay, 30 * aDay] as const
/**
 * Seconds of the past that are read in the background, at first and in each second, beyond what shows that a machine is
 * idle: a month of one machine is four megabytes, and many machines may be idle. Since when, by and by.
 */
const pastAtFirst = 90 * aDay
const pastEachSecond = (2 * aDay) / 60

/** Reads what the CPUs of machines did, and since when they do nothing. */
export function createCpuReader({ cpu, threshold, minutes, clock }: CpuReaderDeps) {
  const { now } = clock
  let isWindowOpen = false
  /** Seconds of the past that may be read in the background, as of `allowedAt`. */
  let allowed = pastAtFirst
  let allowedAt = now()

  /** Whether the past of one more machine is read now. An overdraft is deducted from the next allowance. */
  function mayReadPast(): boolean {
    if (isWindowOpen) return true
    allowed = Math.min(pastAtFirst, allowed + Math.max(0, now() - allowedAt) * pastEachSecond)
    allowedAt = now()
    return allowed > 0
  }

  return {
    windowChanged: (isOpen: boolean): void => void (isWindowOpen = isOpen),
    async read(account: AccountId, machine: string, one: LoadEvidence): Promise<void> {
      one.cpuReadAt = now()
      const before = one.cpu
      /** Whether the past of this machine was allowed: then all of it is read, as a part of it would be read in vain. */
      let isAllowed = false
      for (const seconds of cpuSpans) {
        if (seconds > cpuSpans[0]) {
          const idleFor = one.cpu ? now() - one.cpu.since : 0
          // Nothing new is in what is known to be idle already.
          if (idleFor >= seconds - averagedOver) continue
          if (idleFor >= minutes() * 60) {
            isAllowed ||= mayReadPast()
            if (!isAllowed) return
            if (!isWindowOpen) allowed -= seconds
          }
        }
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
