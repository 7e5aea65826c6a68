import { createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { writeFileAtomic } from './atomic-file'

/** What the digest beside a database file says about it; `none`: there is none, as after a crash. */
export type DigestCheck = 'same' | 'altered' | 'none'

async function digestOf(path: string, key: string): Promise<string> {
  const digest = createHmac('sha256', Buffer.from(key, 'hex'))
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  file.on('data', (chunk) => digest.update(chunk))
  await finished(file)
  return digest.digest('hex')
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * A keyed digest of the whole database file, from its closing to its next opening: libsql's encryption has no integrity,
 * and an altered byte would only be another number. Fails with the system's own error.
 */
export const storeDigest = (path: string) => {
  const digestPath = `${path}.digest`
  return {
    path: digestPath,
    check: async (key: string): Promise<DigestCheck> => {
      const kept = await textOf(digestPath)
      if (kept === undefined) return 'none'
      return kept === (await digestOf(path, key)) ? 'same' : 'altered'
    },
    /** The file is about to change. */
    remove: (): Promise<void> => rm(digestPath, { force: true }),
    /** The file was closed, and all that was written is in it. */
    write: async (key: string): Promise<void> =>
      writeFileAtomic(digestPath, `${await digestOf(path, key)}\n`),
  }
}
