import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { CrashReport } from './crash-report'

const Run = z.object({
  version: z.string(),
  electron: z.string(),
  system: z.string(),
  /** Login session on Linux (systemd). Its end ends every program in it. */
  session: z.string().nullable(),
})
export type Run = z.infer<typeof Run>

/** Runs `change` and ignores a disk that is full, read-only or gone. */
export function ignoreDiskErrors(change: () => void): void {
  try {
    change()
  } catch {
    // The file is a convenience.
  }
}

function readMarker(file: string): { readonly run: Run; readonly aliveMs: number } | null {
  try {
    return { run: Run.parse(JSON.parse(readFileSync(file, 'utf8'))), aliveMs: statSync(file).mtimeMs }
  } catch {
    return null
  }
}

/**
 * Marks the current run in a file that an orderly end removes. A marker at the start means that the previous run crashed
 * in native code or ran out of memory. That is reported, unless the computer or the user's session ended too. Its memory
 * is not stored: a minidump would contain every secret.
 */
export function startRun(
  file: string,
  run: Run,
  {
    nowMs,
    bootedMs,
    report,
  }: {
    nowMs(): number
    readonly bootedMs: number
    report(of: CrashReport): void
  },
) {
  const previous = readMarker(file)
  if (previous && previous.aliveMs > bootedMs && previous.run.session === run.session) {
    const { version, electron, system } = previous.run
    report({
      kind: 'ended',
      at: new Date(previous.aliveMs).toISOString(),
      version,
      electron,
      system,
      error: 'unknown',
      code: null,
      frames: [],
    })
  }
  ignoreDiskErrors(() => writeFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 }))
  return {
    /** Call each minute: the next start reports when the run was last alive. */
    alive: (): void => ignoreDiskErrors(() => utimesSync(file, nowMs() / 1000, nowMs() / 1000)),
    end: (): void => ignoreDiskErrors(() => rmSync(file, { force: true })),
  }
}
