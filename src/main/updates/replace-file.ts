import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, constants, copyFile, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** SHA-512 of a file, in base64, as feeds have it. */
async function sha512Of(path: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64')
}

/**
 * Replaces a file by another at one stroke: a copy beside it is checked against `sha512` (one of these, base64) and
 * renamed over it. Running programs keep the old one, whose mode is kept; a failure leaves the old one as it was.
 */
export async function replaceFile(old: string, next: string, sha512: readonly string[]): Promise<void> {
  // A link stays one, and still leads to the application.
  const target = await realpath(old)
  const { mode } = await stat(target)
  const copy = `${target}.update`
  // A left-over of an update that was cut off; nothing that another user keeps there is written to or used.
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
