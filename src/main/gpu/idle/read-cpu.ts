import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../../core/clock'
import { averaged, averagingSeconds } from './average-load'
import { chainOf } from './idle-chain'
import type { LoadEvidence } from './idle-verdict'

export interface CpuReaderDeps {
  /** Reads the CPU load of the last `seconds` from the service; null if it does not answer. */
  cpu(
    account: AccountId,
    machine: string,
    seconds: number,
  ): Promise<{ readonly times: Float64Array; readonly values: Float64Array } | null>
  /** Returns the load in percent below which a machine is idle. */
  threshold(): number
  minutes(): number
  readonly clock: Pick<Clock, 'now'>
}

const daySeconds = 86_400
/** Periods of CPU metrics to read, step by step. A longer period is read only if the whole shorter one was idle. */
const cpuSpans = [7_200, daySeconds, 7 * daySeconds, 30 * daySeconds] as const
/**
 * Budget for reading the past of idle machines in the background: its upper bound in seconds of metrics, and its growth
 * per second. A month of one machine is four megabytes, and many machines may be idle.
 */
const maxBackgroundSeconds = 90 * daySeconds
const backgroundRefillRate = (2 * daySeconds) / 60

export function createCpuReader({ cpu, threshold, minutes, clock }: CpuReaderDeps) {
  const { now } = clock
  let isWindowOpen = false
  /** Remaining budget in seconds of metrics, at time `allowanceAt`. */
  let allowance = maxBackgroundSeconds
  let allowanceAt = now()

  /** Whether the past of one more machine may be read now. The budget may become negative. */
  function mayReadPast(): boolean {
    if (isWindowOpen) return true
    allowance = Math.min(
      maxBackgroundSeconds,
      allowance + Math.max(0, now() - allowanceAt) * backgroundRefillRate,
    )
    allowanceAt = now()
    return allowance > 0
  }

  return {
    windowChanged: (isOpen: boolean): void => void (isWindowOpen = isOpen),
    async read(account: AccountId, machine: string, evidence: LoadEvidence): Promise<void> {
      evidence.cpuReadAt = now()
      const previous = evidence.cpu
      /** Whether this machine's past may be read: then all of it, since a part would be useless. */
      let isAllowed = false
      for (const seconds of cpuSpans) {
        if (seconds > cpuSpans[0]) {
          const idleFor = evidence.cpu ? now() - evidence.cpu.since : 0
          // The period is already known to be idle.
          if (idleFor >= seconds - averagingSeconds) continue
          if (idleFor >= minutes() * 60) {
            isAllowed ||= mayReadPast()
            if (!isAllowed) return
            if (!isWindowOpen) allowance -= seconds
          }
        }
        const series = await cpu(account, machine, seconds)
        if (!series) return
        const points = averaged(series.times, series.values)
        const last = points.at(-1)
        if (!last) return
        evidence.cpuAt = last.time
        const chain = chainOf(points, threshold())
        const isContinuous = chain && previous && previous.last >= chain.since - averagingSeconds
        evidence.cpu = isContinuous
          ? { since: Math.min(previous.since, chain.since), last: chain.last }
          : (chain ?? null)
        const [first = last] = points
        const reachesBack = chain !== undefined && chain.since - first.time < averagingSeconds
        const isWholeRecord = now() - first.time < seconds - 2 * averagingSeconds
        // A known beginning stays known: later reads only extend the idle time.
        evidence.hasCpuBeginning = (isContinuous && evidence.hasCpuBeginning) || !reachesBack || isWholeRecord
        if (evidence.hasCpuBeginning) return
      }
      evidence.hasCpuBeginning = true
    },
  }
}
