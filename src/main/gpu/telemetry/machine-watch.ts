import type { GpuReport } from '#shared/bridge/gpu'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../../core/clock'
import { isRecent } from '../../core/elapsed'
import { connectionLimits } from '../../ssh/client/target'
import type { LeaseUse, SshLease } from '../../ssh/machines/lease'
import { createEstimates, type StoredIdlePower } from '../tools/activity'
import { type Details, type Exec, gpuReader, isUsed } from '../tools/read-gpus'

export interface MachineWatchDeps {
  acquire(use: Pick<LeaseUse, 'changed' | 'closed'> & { opened(exec: Exec): void }): SshLease
  changed(): void
  read(report: GpuReport, at: number): void
  readonly idlePower: StoredIdlePower
  readonly clock: Clock
}

/**
 * Pause between two readings. While the user looks, a reading itself takes over two seconds. In the background, a driver with
 * samples of its last 14 seconds is read every minute; single values are read three times as often.
 */
const pauseSeconds = { focused: 2, samples: 60, singleValues: 20 } as const

/** Pause between two readings of activity and processes of used GPUs in the background. */
const detailsEverySeconds = 600

/** Growing pauses for a machine that hangs: each reading leaves a process behind. */
const hungPauseSeconds = [60, 300, 900, 1_800] as const

/** Reads the GPUs of one machine repeatedly over its shared connection. */
export function machineWatch({ acquire, changed, read: deliver, idlePower, clock }: MachineWatchDeps) {
  const estimates = createEstimates(idlePower)
  let report: GpuReport | null = null
  let at: number | null = null
  let isFocused = false
  let read: ReturnType<typeof gpuReader> | undefined
  let hung = 0
  let reading = false
  /** Time of the last reading of activity and processes. */
  let detailsAt = -Infinity
  /** Number of the current connection; answers from earlier connections are ignored. */
  let generation = 0
  let cancel = (): void => undefined

  function end(): void {
    generation += 1
    cancel()
    cancel = () => undefined
    read = undefined
    reading = false
  }

  /** Adds the processes of the last reading that had them, so that the user sees which of them hold memory. */
  function withEarlierProcesses(next: GpuReport): GpuReport {
    if (next.kind !== 'gpus' || next.isDetailed || report?.kind !== 'gpus') return next
    const isKnown = isRecent(detailsAt, detailsEverySeconds, clock.now()) && next.gpus.some(isUsed)
    return isKnown ? { ...next, processes: report.processes } : next
  }

  function readNow(): void {
    if (!read || reading) return
    cancel()
    reading = true
    const startGeneration = generation
    read(details()).then(
      (next) => {
        if (startGeneration !== generation) return
        reading = false
        hung = next.kind === 'no-answer' || next.kind === 'slow-login' ? hung + 1 : 0
        report = withEarlierProcesses(next)
        at = clock.now()
        if (next.kind === 'gpus' && next.isDetailed) detailsAt = at
        deliver(next, at)
        changed()
        plan()
      },
      () => {
        // The lease reports a lost connection. A reading over tinysshd has its own connection, which can fail separately.
        if (startGeneration !== generation) return
        reading = false
        plan()
      },
    )
  }

  function details(): Details {
    // The first reading shows something soon.
    if (isFocused) return report === null ? 'never' : 'always'
    return isRecent(detailsAt, detailsEverySeconds, clock.now()) ? 'never' : 'if-used'
  }

  function intervalSeconds(): number {
    if (report?.kind !== 'gpus') return isFocused ? pauseSeconds.focused : pauseSeconds.samples
    if (isFocused) return report.isDetailed ? pauseSeconds.focused : 0
    const isSampled = report.gpus.every(({ samples, mig }) => samples !== null || mig)
    return isSampled ? pauseSeconds.samples : pauseSeconds.singleValues
  }

  function plan(): void {
    const interval = intervalSeconds()
    const pause =
      hung === 0 ? interval : (hungPauseSeconds[Math.min(hung, hungPauseSeconds.length) - 1] ?? interval)
    cancel()
    cancel = clock.after(pause, readNow)
  }

  let isAcquired = false
  const lease: SshLease = acquire({
    // `acquire` may call this before it returns the lease.
    changed: () => {
      if (isAcquired) changed()
    },
    opened(exec) {
      end()
      read = gpuReader(exec, connectionLimits.command, estimates)
      hung = 0
      readNow()
    },
    closed: end,
  })
  isAcquired = true

  return {
    link: (): SshLink => lease.link(),
    report: () => report,
    at: () => at,
    update: (): void => lease.update(),
    retry: (): void => lease.retry(),
    trust: (fingerprint: string): Promise<boolean> => lease.trust(fingerprint),
    focus: (next: boolean): void => {
      if (next === isFocused) return
      isFocused = next
      if (isFocused && hung === 0) readNow()
      else if (read && !reading) plan()
    },
    close(): void {
      end()
      lease.release()
    },
  }
}
export type MachineWatch = ReturnType<typeof machineWatch>
