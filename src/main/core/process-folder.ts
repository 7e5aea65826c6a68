import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `ssh`: socket of a shared connection. `ask`: of ssh prompts. `cli`: of the command line. `terminal`: errors of a starting
 * terminal.
 */
const uses = ['ssh', 'ask', 'cli', 'terminal'] as const
export type ProcessFolderUse = (typeof uses)[number]
const ownName = new RegExp(`^wheelhouse-(?:${uses.join('|')})-(\\d+)-\\w{6}$`)

/** Creates a temporary folder for this process, readable only by its user. */
export const makeProcessFolder = (use: ProcessFolderUse): Promise<string> =>
  mkdtemp(join(tmpdir(), `wheelhouse-${use}-${String(process.pid)}-`))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes the folders of processes that were killed. Never rejects. */
export async function removeLeftFolders(folder = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const pid = Number(ownName.exec(name)?.[1] ?? NaN)
    if (!Number.isSafeInteger(pid) || pid <= 0 || isRunning(pid)) continue
    const path = join(folder, name)
    const stats = await lstat(path).catch(() => null)
    const isOwn = process.getuid === undefined || stats?.uid === process.getuid()
    if (stats?.isDirectory() && isOwn) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}
