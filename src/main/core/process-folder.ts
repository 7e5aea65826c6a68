import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `ssh`: a kept connection's socket. `ask`: where ssh asks. `terminal`: what one that opens prints as an error. */
const uses = ['ssh', 'ask', 'terminal'] as const
type Use = (typeof uses)[number]
const ownName = new RegExp(`^wheelhouse-(?:${uses.join('|')})-(\\d+)-\\w{6}$`)

/** A folder that is of use for as long as this process runs, readable by its user alone. */
export const makeProcessFolder = (use: Use): Promise<string> =>
  mkdtemp(join(tmpdir(), `wheelhouse-${use}-${String(process.pid)}-`))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process, which is none of ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Removes the folders of processes that were killed before they could. Never rejects. */
export async function removeLeftFolders(folder = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const pid = Number(ownName.exec(name)?.[1] ?? NaN)
    if (!Number.isSafeInteger(pid) || pid <= 0 || isRunning(pid)) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    const isOwn = process.getuid === undefined || found?.uid === process.getuid()
    if (found?.isDirectory() && isOwn) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}
