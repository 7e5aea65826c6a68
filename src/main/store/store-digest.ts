import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { isMissingFile } from '../core/failure-of'

/** `none`: there is no digest to compare with, such as after a crash during a checkpoint. */
export type DigestCheck = 'same' | 'altered' | 'none'

/** Content of the digest file while the database changes. */
const changingText = 'changing\n'
const wholeDigest = /^[0-9a-f]{64}\n?$/

async function digestOf(path: string, key: string): Promise<string> {
  const digest = createHmac('sha256', Buffer.from(key, 'hex'))
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  file.on('data', (chunk) => digest.update(chunk))
  await finished(file)
  return digest.digest('hex')
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

function writeThrough(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A keyed digest of the database file, valid between two checkpoints. Between them all writes go to the log, which
 * has its own checksums. libsql's encryption has no integrity protection: an altered byte would only change a number.
 * Fails with the system's error.
 */
export const storeDigest = (path: string) => {
  const digestPath = `${path}.digest`
  let changes = 0
  return {
    path: digestPath,
    check: async (key: string): Promise<DigestCheck> => {
      const stored = await textOf(digestPath)
      // Any other text means that the file was changing, or a power cut truncated the digest.
      if (stored === undefined || !wholeDigest.test(stored)) return 'none'
      return stored.trim() === (await digestOf(path, key)) ? 'same' : 'altered'
    },
    /**
     * Call before the file changes. Overwrites the digest rather than removing it: a power cut may undo a removal,
     * and the file would then count as altered.
     */
    invalidate(): void {
      changes += 1
      try {
        writeThrough(digestPath, changingText)
      } catch {
        rmSync(digestPath, { force: true })
      }
    },
    /** Call after the file has changed. */
    async write(key: string): Promise<void> {
      const before = changes
      const text = `${await digestOf(path, key)}\n`
      if (before !== changes) return
      // Synchronous, so that nothing changes in between.
      const temporary = `${digestPath}.${randomBytes(4).toString('hex')}.tmp`
      try {
        writeThrough(temporary, text)
        renameSync(temporary, digestPath)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
    },
    /** Drops a digest that is being computed, as the file was replaced. */
    drop(): void {
      changes += 1
    },
  }
}
export type StoreDigest = ReturnType<typeof storeDigest>
