import { spawn, type ChildProcess } from 'node:child_process'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeProcessFolder } from '../../core/process-folder'
import type { Launch } from './terminal'

/** How a program fared in its first moments: it still runs, or ended well, or failed to start or with an exit code. */
type Beginning =
  | { readonly kind: 'runs' | 'ended' }
  /** In the system's words. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Where and how programs are started. */
export interface StartOptions {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** How long a window is watched, in milliseconds: a session that ends sooner has not begun. */
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
 * Starts a program detached from this one: no shell, an argument list. What it writes to its standard error goes to
 * a file that is gone after the watch, because a pipe would end with this process and take the terminal along.
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
      const said = (await readFile(log, 'utf8')).trim().split('\n').at(-1)
      return end.code === 0
        ? { kind: 'ended' }
        : { kind: 'failed', reason: said || (end.signal ?? `exit code ${String(end.code)}`) }
    } finally {
      await file.close()
    }
  } finally {
    // On Windows the file cannot be removed while the program holds it; a later start of Wheelhouse does.
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Opens a terminal. `held` is the same window, kept open when ssh has ended; null where the terminal cannot keep it.
 *
 * A window that always stays must be closed by hand after each session, and one that never stays takes ssh's last
 * words with it ("Permission denied"). So the window is opened to close with ssh, and where it closes within the
 * first moments, it is opened again to stay, so that the reason can be read.
 *
 * `failed` in place of an error: the last window did not start, or ended with an exit code other than 0.
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
