import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in /proc, whatever the kernel's own (proc_pid_stat(5), USER_HZ). */
const ticks = 100

/** What the kernel says of a process; empty where that has just ended. */
function said(process: number, file: string): string {
  try {
    return readFileSync(`/proc/${String(process)}/${file}`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ESRCH|ENOENT)$/.test(String(error.code))) return ''
    throw error
  }
}

/** A process and all that it has started and that still run. */
function treeOf(process: number): readonly number[] {
  const threads = existsSync(`/proc/${String(process)}`) ? readdirSync(`/proc/${String(process)}/task`) : []
  const children = threads.flatMap((thread) =>
    said(process, `task/${thread}/children`)
      .split(' ')
      .flatMap((id) => (id === '' ? [] : [Number(id)])),
  )
  return [process, ...children.flatMap(treeOf)]
}

/** Of a process and all that it has started, in MB; shared pages by their share (PSS). */
export function memoryOf(process: number): number {
  const kilobytes = treeOf(process).map((id) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(said(id, 'smaps_rollup'))?.[1] ?? 0),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024
}

/** Seconds of processor that a process and all that it has started have used, with those that have ended. */
export function processorOf(process: number): number {
  const used = treeOf(process).flatMap((id) => {
    // The name is in brackets and may hold anything; utime, stime, cutime and cstime are the 14th to 17th.
    const fields = said(id, 'stat').replace(/^.*\)/s, '').trim().split(' ')
    return fields.slice(11, 15).map(Number)
  })
  return used.reduce((sum, one) => sum + one, 0) / ticks
}
