import type { GpuReport } from '#shared/bridge/gpu'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../../core/clock'
import { connectionLimits } from '../../ssh/client/target'
import type { SshConnection } from '../../ssh/client/transport'
import type { LeaseUse, SshLease } from '../../ssh/machines/index'
import { gpuReader } from '../tools/read-gpus'

export interface MachineWatchDeps {
  /** Holds the machine's connection. */
  acquire(use: Pick<LeaseUse, 'changed' | 'opened' | 'closed'>): SshLease
  /** The link or the report has changed. */
  changed(): void
  read(report: GpuReport, at: number): void
  readonly clock: Clock
}

/** Seconds between two readings: while the user looks at the machine, and in the background. */
const readEverySeconds = { focused: 4, background: 60 } as const

/** A hanging driver, or login, leaves a process behind at each reading: it is read less and less often (seconds). */
const hungPauses = [60, 300, 900, 1_800] as const

/** Reads the GPUs of one machine again and again, over the connection that everything on it shares. */
export function machineWatch({ acquire, changed, read: deliver, clock }: MachineWatchDeps) {
  let report: GpuReport | null = null
  let at: number | null = null
  let isFocused = false
  let read: ReturnType<typeof gpuReader> | undefined
  /** Readings in a row that had no answer. */
  let hung = 0
  let reading = false
  /** Number of the current connection; answers of earlier ones are ignored. */
  let generation = 0
  let cancel = (): void => undefined

  function end(): void {
    generation += 1
    cancel()
    cancel = () => undefined
    read = undefined
    reading = false
  }

  /** Reads now, and plans the next reading. */
  function readNow(): void {
    if (!read || reading) return
    cancel()
    reading = true
    const mine = generation
    read(isFocused).then(
      (next) => {
        if (mine !== generation) return
        reading = false
        hung = next.kind === 'no-answer' || next.kind === 'slow-login' ? hung + 1 : 0
        report = next
        at = clock.now()
        deliver(next, at)
        changed()
        plan()
      },
      () => {
        // The lease reports a lost connection. A reading can also fail alone, on a connection of its own (tinysshd).
        if (mine !== generation) return
        reading = false
        plan()
      },
    )
  }

  function plan(): void {
    const calm = isFocused ? readEverySeconds.focused : readEverySeconds.background
    const patient = hung === 0 ? calm : (hungPauses[Math.min(hung, hungPauses.length) - 1] ?? calm)
    cancel()
    cancel = clock.after(patient, readNow)
  }

  let isAcquired = false
  const lease: SshLease = acquire({
    // The link is known once the lease is.
    changed: () => {
      if (isAcquired) changed()
    },
    opened(connection: SshConnection) {
      end()
      read = gpuReader(connection.exec, connectionLimits.command)
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
