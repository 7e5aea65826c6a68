import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const name = 'wheelhouse'

const databaseSuffixes = ['', '-wal', '-shm'] as const

/** Suffixes of our own files: the key id and the digest of a closed file (store-digest.ts). */
const companionSuffixes = ['.key-id', '.digest'] as const

/** Free bytes above which the disk no longer counts as full. */
const minFreeBytes = 8 * 1024 * 1024

export type Rename = (from: string, to: string) => void

export const storeFiles = (folder: string, rename: Rename = renameSync) => {
  const path = join(folder, `${name}.db`)
  const keyIdPath = `${path}.key-id`
  const quarantineName = (count = 1): string => {
    const candidate = `${name}.set-aside-${String(count)}.db`
    return existsSync(join(folder, candidate)) ? quarantineName(count + 1) : candidate
  }
  const quarantineMark = `${path}.damaged`
  const quarantine = (): string => {
    // Windows cannot rename a file that was open a moment ago; the mark repeats the attempt at the next start.
    closeSync(openSync(quarantineMark, 'a', 0o600))
    const target = quarantineName()
    // The log first: a database without its log lacks the last writes; a log without its database is useless.
    for (const suffix of [...databaseSuffixes.toReversed(), ...companionSuffixes])
      if (existsSync(path + suffix)) rename(path + suffix, join(folder, target + suffix))
    rmSync(quarantineMark, { force: true })
    return target
  }
  return {
    path,
    keyIdPath,
    exists: (): boolean => existsSync(path),
    keyIdText: (): string | undefined =>
      existsSync(keyIdPath) ? readFileSync(keyIdPath, 'utf8') : undefined,
    /** Creates an empty file that only its owner can read. SQLite uses the same mode for its other files. */
    create: (): void => closeSync(openSync(path, 'a', 0o600)),
    /** Renames the database and its other files, now or at the next start. Returns the new name. */
    quarantine,
    quarantinedDatabases: (): readonly { readonly name: string; readonly bytes: number }[] =>
      readdirSync(folder)
        .filter((file) => /^wheelhouse\.set-aside-\d+\.db$/.test(file))
        .map((file) => ({ name: file, bytes: statSync(join(folder, file)).size })),
    /** Text of the key id of a quarantined database; undefined if there is none. */
    quarantinedKeyId: (file: string): string | undefined => {
      const path = join(folder, `${file}.key-id`)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    },
    removeQuarantined: (file: string): void =>
      [...databaseSuffixes, ...companionSuffixes].forEach((suffix) =>
        rmSync(join(folder, file + suffix), { force: true }),
      ),
    quarantineIfMarked: (): string | null => (existsSync(quarantineMark) ? quarantine() : null),
    hasRoom: (): boolean => {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize >= minFreeBytes
    },
  }
}
export type StoreFiles = ReturnType<typeof storeFiles>
