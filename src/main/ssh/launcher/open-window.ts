import { spawn, type ChildProcess } from 'node:child_process'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeProcessFolder } from '../../core/process-folder'
import type { Launch } from './terminal'

/** State of a program after its first moments. `failed`: it did not start, or ended with an exit code other than 0. */
type Beginning =
  | { readonly kind: 'runs' | 'ended' }
  /** `reason`: the system's. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface StartOptions {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** Time in milliseconds for which a window is watched: a session that ends sooner has not begun. */
  readonly watchFor: number
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const endOf = (child: ChildProcess, within: number): Promise<End | 'runs'> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve('runs')
    }, within)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal })
    })
  })

/**
 * Starts a detached program without a shell. Its standard error goes to a temporary file: a pipe would end with this
 * process, and the terminal with it.
 */
const start = async (launch: Launch, options: StartOptions): Promise<Beginning> => {
  const scratch = await makeProcessFolder('terminal')
  const log = join(scratch, 'stderr')
  try {
    const file = await open(log, 'w', 0o600)
    try {
      const child = spawn(launch.file, launch.args, {
        cwd: options.folder,
        env: options.env,
        detached: true,
        windowsHide: false,
        stdio: ['ignore', 'ignore', file.fd],
      })
      child.unref()
      const end = await endOf(child, options.watchFor)
      if (end === 'runs') return { kind: 'runs' }
      const lastLine = (await readFile(log, 'utf8')).trim().split('\n').at(-1)
      return end.code === 0
        ? { kind: 'ended' }
        : { kind: 'failed', reason: lastLine || (end.signal ?? `exit code ${String(end.code)}`) }
    } finally {
      await file.close()
    }
  } finally {
    // On Windows the file can't be removed while the program runs; a later start of Wheelhouse removes it.
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Opens a terminal. `held`: the same window, kept open after ssh has ended; null if the terminal can't keep it.
 *
 * A window that always stays must be closed by hand after each session. A window that never stays hides the last message of
 * ssh ("Permission denied"). So the first window closes with ssh. If it closes within the first moments, a second window
 * opens and stays, so that the user can read the reason.
 *
 * Never fails: see `failed`.
 */
export const openWindow = async (
  plain: Launch,
  held: Launch | null,
  options: StartOptions,
): Promise<Beginning> => {
  const begin = (launch: Launch): Promise<Beginning> =>
    start(launch, options).catch((error: unknown) => ({
      kind: 'failed',
      reason: error instanceof Error ? error.message : String(error),
    }))
  const first = await begin(plain)
  if (first.kind === 'runs' || held === null) return first
  const last = await begin(held)
  return last.kind === 'failed' ? last : { kind: 'ended' }
}
