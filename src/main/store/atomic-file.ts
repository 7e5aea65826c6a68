import { randomBytes } from 'node:crypto'
import { mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between attempts. On Windows, a virus scanner may briefly lock the old file. */
const renameRetriesMs = [20, 60, 200, 500]
const lockedCodes = new Set(['EPERM', 'EACCES', 'EBUSY'])

const renameOver = async (from: string, to: string, delaysMs: readonly number[]): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    const [delayMs, ...remaining] = delaysMs
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (delayMs === undefined || !lockedCodes.has(code)) throw error
    await wait(delayMs)
    await renameOver(from, to, remaining)
  }
}

/** Returns the file that is written to `path`: the target, if `path` is a link, even if the target does not exist yet. */
async function fileBehind(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const target = await readlink(path).catch(() => null)
    return target === null ? path : resolve(dirname(path), target)
  }
}

/**
 * Atomically replaces a file with the output of `fill`. Readers see the old or the new content, even after a crash.
 * Only the owner can read the file. Throws the errors of `fill` and of the system, and leaves no temporary file. A link
 * stays a link.
 */
export const replaceFile = async <Value>(
  path: string,
  fill: (write: (piece: string | Uint8Array) => Promise<void>) => Promise<Value>,
): Promise<Value> => {
  const replaced = await fileBehind(path)
  const temporary = `${replaced}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    let value: Value
    try {
      // FileHandle.writeFile continues after a short write, so a full disk is an error rather than a truncated file.
      value = await fill((piece) => file.writeFile(piece, 'utf8'))
      await file.sync()
    } finally {
      await file.close()
    }
    await renameOver(temporary, replaced, process.platform === 'win32' ? renameRetriesMs : [])
    return value
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Atomically writes `text`, and creates the folder if it is missing. */
export const writeFileAtomic = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, (write) => write(text))
}
