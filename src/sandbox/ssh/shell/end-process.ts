import type { EndRequest } from '#shared/end-process'
import type { Shell } from './command'
import { gpusOf } from './gpu'
import { processesOf } from './processes'

/** Program that ignores SIGTERM. */
const stubborn = 'wait.py'

/** Ends a process and returns the output of the application's script (src/shared/end-process.ts). */
export function endProcess({ pid, start, user, signal }: EndRequest, shell: Shell): string {
  const { machine } = shell
  const now = shell.now()
  if (pid <= 1) return 'refused init'
  const process = processesOf(machine, shell.startedAt, now).find((listed) => listed.pid === pid)
  if (!process) return 'gone'
  if (process.command.startsWith('sshd')) return 'refused session'
  const onGpu = gpusOf(machine, now)
    .flatMap(({ processes }) => processes)
    .find((listed) => listed.pid === pid)
  if (process.user !== user || (onGpu && onGpu.start !== start)) return 'refused changed'
  if (!onGpu) return 'refused no-gpu'
  if (signal === 'TERM' && process.command.includes(stubborn)) return 'running'
  machine.endProcess?.(pid)
  return 'ended'
}
