import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { finished } from 'node:stream/promises'

/** What the digest beside a database file says about it; `none`: there is none, as after a crash amid a checkpoint. */
export type DigestCheck = 'same' | 'altered' | 'none'

/** The digest's text while the file changes. */
const changing = 'changing\n'
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** On the disk once it returns. */
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
 * A keyed digest of the whole database file, from one checkpoint to the next: between them all that is written goes to the
 * log, which has checksums of its own. libsql's encryption has no integrity, and an altered byte would only be another
 * number. Fails with the system's own error.
 */
export const storeDigest = (path: string) => {
  const digestPath = `${path}.digest`
  /** Counts what makes a digest that is being computed worthless. */
  let changes = 0
  return {
    path: digestPath,
    check: async (key: string): Promise<DigestCheck> => {
      const kept = await textOf(digestPath)
      // Anything else says that the file was changing, or is what a power cut left of a digest.
      if (kept === undefined || !wholeDigest.test(kept)) return 'none'
      return kept.trim() === (await digestOf(path, key)) ? 'same' : 'altered'
    },
    /**
     * The file is about to change. Written, not removed: a removal may be undone by a power cut, and the file would
     * then count as altered.
     */
    invalidate(): void {
      changes += 1
      try {
        writeThrough(digestPath, changing)
      } catch {
        // The disk may be full.
        rmSync(digestPath, { force: true })
      }
    },
    /** The file has changed, and changes no more until `invalidate`. */
    async write(key: string): Promise<void> {
      const before = changes
      const text = `${await digestOf(path, key)}\n`
      if (before !== changes) return
      // In one transaction, so that nothing changes in between.
      const temporary = `${digestPath}.${randomBytes(4).toString('hex')}.tmp`
      try {
        writeThrough(temporary, text)
        renameSync(temporary, digestPath)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
    },
    /** What is being computed is of a file that is no longer there. */
    drop(): void {
      changes += 1
    },
  }
}
export type StoreDigest = ReturnType<typeof storeDigest>
