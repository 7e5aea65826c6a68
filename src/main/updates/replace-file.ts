import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, constants, copyFile, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Returns the SHA-512 of a file in base64, as in feeds. */
async function sha512Of(path: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64')
}

/**
 * Replaces a file atomically: a copy next to it is verified against `sha512` (base64 checksums) and renamed over it.
 * Running programs continue with the old file. The mode is preserved, and a failure changes nothing.
 */
export async function replaceFile(old: string, next: string, sha512: readonly string[]): Promise<void> {
  // A symbolic link is preserved: its target is replaced.
  const target = await realpath(old)
  const { mode } = await stat(target)
  const copy = `${target}.update`
  // Removes a copy from an interrupted update, which another user may have replaced.
  await rm(copy, { force: true })
  try {
    await copyFile(next, copy, constants.COPYFILE_EXCL)
    if (!sha512.includes(await sha512Of(copy)))
      throw Object.assign(new Error('sha512 checksum mismatch'), { code: 'ERR_CHECKSUM_MISMATCH' })
    await chmod(copy, mode)
    const file = await open(copy, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { force: true })
    throw error
  }
}
