import { randomBytes } from 'node:crypto'
import { mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** On Windows a scanner may hold the old file for a moment; milliseconds between the tries. */
const renameWaits = [20, 60, 200, 500]
const held = new Set(['EPERM', 'EACCES', 'EBUSY'])

const renameOver = async (from: string, to: string, waits: readonly number[]): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    const [milliseconds, ...later] = waits
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (milliseconds === undefined || !held.has(code)) throw error
    await wait(milliseconds)
    await renameOver(from, to, later)
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
 * Replaces a file in one step with what `fill` writes, piece by piece: a reader sees the old content or the new one,
 * never a mixture, whatever happens in between. Readable by its owner alone. Throws what `fill` throws and the system's
 * own error, and leaves no temporary file behind. A link stays a link.
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
      // FileHandle.writeFile goes on after a short write, so that a full disk is an error and not half a file.
      value = await fill((piece) => file.writeFile(piece, 'utf8'))
      await file.sync()
    } finally {
      await file.close()
    }
    await renameOver(temporary, replaced, process.platform === 'win32' ? renameWaits : [])
    return value
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The same for a text that is there already, in a folder that is made where it is missing. */
export const writeFileAtomic = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, (write) => write(text))
}
