import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Ticks per second in /proc, independent of the kernel's own (proc_pid_stat(5), USER_HZ). */
const ticks = 100

/** Returns the kernel's entry of a process; empty if it has just ended. */
function said(process: number, file: string): string {
  try {
    return readFileSync(`/proc/${String(process)}/${file}`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ESRCH|ENOENT)$/.test(String(error.code))) return ''
    throw error
  }
}

/** Returns a process and its running descendants. */
function treeOf(process: number): readonly number[] {
  const threads = existsSync(`/proc/${String(process)}`) ? readdirSync(`/proc/${String(process)}/task`) : []
  const children = threads.flatMap((thread) =>
    said(process, `task/${thread}/children`)
      .split(' ')
      .flatMap((id) => (id === '' ? [] : [Number(id)])),
  )
  return [process, ...children.flatMap(treeOf)]
}

/** Returns the purpose of a Chromium process from its command line; the first has no type. */
function kindOf(process: number): string {
  const line = said(process, 'cmdline')
  const [, kind] = /--utility-sub-type=(\S+?)[\s\0]/.exec(line) ?? /--type=([a-z-]+)/.exec(line) ?? []
  return kind ?? 'main'
}

/** Returns the MB of a process and its descendants by purpose; shared pages by their share (PSS). */
function memoryByKind(process: number): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {}
  for (const id of treeOf(process)) {
    const kilobytes = Number(/^Pss:\s+(\d+) kB$/m.exec(said(id, 'smaps_rollup'))?.[1] ?? 0)
    const kind = kindOf(id)
    kinds[kind] = (kinds[kind] ?? 0) + kilobytes / 1_024
  }
  return kinds
}

/** Total of all processes. */
export const memoryOf = (process: number): number =>
  Object.values(memoryByKind(process)).reduce((sum, one) => sum + one, 0)

/** Returns the seconds of processor time of a process and its descendants, including ended ones. */
export function processorOf(process: number): number {
  const used = treeOf(process).flatMap((id) => {
    // The name is in brackets and may contain anything; utime, stime, cutime and cstime are the 14th to 17th.
    const fields = said(id, 'stat').replace(/^.*\)/s, '').trim().split(' ')
    return fields.slice(11, 15).map(Number)
  })
  return used.reduce((sum, one) => sum + one, 0) / ticks
}
