import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in /proc, whatever the kernel's own (proc_pid_stat(5), USER_HZ). */
const ticks = 100

/** A process and all that it has started and that still run. */
function treeOf(process: number): readonly number[] {
  const children = readdirSync(`/proc/${String(process)}/task`).flatMap((thread) =>
    readFileSync(`/proc/${String(process)}/task/${thread}/children`, 'utf8')
      .split(' ')
      .flatMap((id) => (id === '' ? [] : [Number(id)])),
  )
  return [process, ...children.flatMap(treeOf)]
}

/** Of a process and all that it has started, in MB; shared pages by their share (PSS). */
export function memoryOf(process: number): number {
  const kilobytes = treeOf(process).map((id) => {
    const rollup = readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1])
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024
}

/** Seconds of processor that a process and all that it has started have used, with those that have ended. */
export function processorOf(process: number): number {
  const used = treeOf(process).flatMap((id) => {
    // The name is in brackets and may hold anything; utime, stime, cutime and cstime are the 14th to 17th.
    const fields = readFileSync(`/proc/${String(id)}/stat`, 'utf8')
      .replace(/^.*\)/s, '')
      .trim()
      .split(' ')
    return fields.slice(11, 15).map(Number)
  })
  return used.reduce((sum, one) => sum + one, 0) / ticks
}
