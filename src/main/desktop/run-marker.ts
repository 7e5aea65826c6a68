import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { CrashReport } from './crash-report'

/** What is known of the present run. */
const Run = z.object({
  version: z.string(),
  electron: z.string(),
  system: z.string(),
  /** The login on Linux, as systemd names it: its end ends every program in it. */
  session: z.string().nullable(),
})
export type Run = z.infer<typeof Run>

/** The run that left its marker behind, with the time when it was last alive. */
function readMarker(file: string): { readonly run: Run; readonly aliveMs: number } | null {
  try {
    return { run: Run.parse(JSON.parse(readFileSync(file, 'utf8'))), aliveMs: statSync(file).mtimeMs }
  } catch {
    return null
  }
}

/**
 * Marks a run in a file that its orderly end removes. One that is found was left by a run that ended without a word: a
 * crash in native code, or memory that ran out. It is reported, unless the computer or the person's session ended with
 * it. No memory of that run is kept (a minidump would have every secret). Where the disk refuses, nothing is noticed.
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
    /** When the computer was started. */
    readonly bootedMs: number
    report(of: CrashReport): void
  },
) {
  const left = readMarker(file)
  if (left && left.aliveMs > bootedMs && left.run.session === run.session) {
    const { version, electron, system } = left.run
    report({
      kind: 'ended',
      at: new Date(left.aliveMs).toISOString(),
      version,
      electron,
      system,
      error: 'unknown',
      code: null,
      frames: [],
    })
  }
  const quietly = (change: () => void): void => {
    try {
      change()
    } catch {
      // Full, or gone.
    }
  }
  quietly(() => writeFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 }))
  return {
    /** To be called each minute: the next start says when the run was last alive. */
    alive: (): void => quietly(() => utimesSync(file, nowMs() / 1000, nowMs() / 1000)),
    end: (): void => quietly(() => rmSync(file, { force: true })),
  }
}
