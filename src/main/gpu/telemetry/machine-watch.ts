import type { GpuReport } from '#shared/bridge/gpu'
import { connectionLimits } from '../../ssh/client/target'
import type { SshConnection } from '../../ssh/client/transport'
import { machineLink, type MachineLinkDeps } from '../../ssh/machine-link'
import { gpuReader } from '../tools/read-gpus'

export interface MachineWatchDeps extends Omit<MachineLinkDeps, 'action' | 'begin' | 'end'> {
  /** The link or the report has changed. */
  changed(): void
  read(report: GpuReport, at: number): void
}

/** Seconds between two readings: while the person looks at the machine, and in the background. */
const readEvery = { focused: 4, background: 60 } as const

/** A hanging driver, or login, leaves a process behind at each reading: it is read less and less often (seconds). */
const hungPauses = [60, 300, 900, 1_800] as const

/** One machine whose GPUs may be read, over one link. */
export function machineWatch(deps: MachineWatchDeps) {
  const { clock, changed } = deps
  let report: GpuReport | null = null
  let at: number | null = null
  let isFocused = false
  let read: ReturnType<typeof gpuReader> | undefined
  /** Readings in a row that had no answer. */
  let hung = 0
  let reading = false
  /** Counts connections: what was begun for an earlier one is dropped. */
  let generation = 0
  let cancel = (): void => undefined

  const link = machineLink({
    ...deps,
    action: 'gpu.connect',
    begin(opened: SshConnection) {
      read = gpuReader(opened.exec, connectionLimits.command)
      hung = 0
      readNow()
    },
    end() {
      generation += 1
      cancel()
      cancel = () => undefined
      read = undefined
      reading = false
    },
  })

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
        link.answered()
        hung = next.kind === 'no-answer' || next.kind === 'slow-login' ? hung + 1 : 0
        report = next
        at = clock.now()
        deps.read(next, at)
        changed()
        plan()
      },
      () => {
        // The connection is lost; onLost handles it.
      },
    )
  }

  function plan(): void {
    const calm = isFocused ? readEvery.focused : readEvery.background
    const patient = hung === 0 ? calm : (hungPauses[Math.min(hung, hungPauses.length) - 1] ?? calm)
    cancel()
    cancel = clock.after(patient, readNow)
  }

  return {
    ...link,
    report: () => report,
    at: () => at,
    focus: (next: boolean): void => {
      if (next === isFocused) return
      isFocused = next
      if (isFocused && hung === 0) readNow()
      else if (link.connection() && !reading) plan()
    },
  }
}
export type MachineWatch = ReturnType<typeof machineWatch>
