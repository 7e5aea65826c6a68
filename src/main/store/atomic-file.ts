import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
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

/**
 * Replaces a file in one step: a reader sees the old text or the new one, never a part, whatever happens in
 * between. Readable by its owner alone. Throws the system's own error and leaves no temporary file behind.
 */
export const writeFileAtomic = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      // FileHandle.writeFile goes on after a short write, so that a full disk is an error and not half a file.
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await renameOver(temporary, path, process.platform === 'win32' ? renameWaits : [])
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
