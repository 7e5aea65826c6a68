import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const name = 'wheelhouse'

/** Where SQLite keeps a database: the file itself and, while it is open, its write-ahead log. */
const databaseSuffixes = ['', '-wal', '-shm'] as const

/** What lies beside it: which key it needs, and the digest of a closed file (store-digest.ts). */
const besides = ['.key-id', '.digest'] as const

/** Bytes that must be free before a disk no longer counts as full. */
const roomNeeded = 8 * 1024 * 1024

/** How a file gets another name. */
export type Rename = (from: string, to: string) => void

/** The files of the store in this folder. Everything throws the system's own error. */
export const storeFiles = (folder: string, rename: Rename = renameSync) => {
  const path = join(folder, `${name}.db`)
  const keyIdPath = `${path}.key-id`
  const quarantineName = (count = 1): string => {
    const candidate = `${name}.set-aside-${String(count)}.db`
    return existsSync(join(folder, candidate)) ? quarantineName(count + 1) : candidate
  }
  const asked = `${path}.damaged`
  const quarantine = (): string => {
    const target = quarantineName()
    // The log first: a database without its log lacks what was written last, a log without its database nothing.
    for (const suffix of [...databaseSuffixes].reverse()) {
      if (existsSync(path + suffix)) rename(path + suffix, join(folder, target + suffix))
    }
    for (const suffix of besides)
      if (existsSync(path + suffix)) rename(path + suffix, join(folder, target + suffix))
    rmSync(asked, { force: true })
    return target
  }
  return {
    path,
    keyIdPath,
    exists: (): boolean => existsSync(path),
    /** Undefined where there is none. */
    keyIdText: (): string | undefined =>
      existsSync(keyIdPath) ? readFileSync(keyIdPath, 'utf8') : undefined,
    /** An empty file that only its owner can read: SQLite makes its own of the same mode. */
    create: (): void => closeSync(openSync(path, 'a', 0o600)),
    /** Renames the database with all that belongs to it. Answers the new name; the key id lies beside it as before. */
    quarantine,
    /** The databases in quarantine, with their size in bytes. */
    quarantinedDatabases: (): readonly { readonly name: string; readonly bytes: number }[] =>
      readdirSync(folder)
        .filter((file) => /^wheelhouse\.set-aside-\d+\.db$/.test(file))
        .map((file) => ({ name: file, bytes: statSync(join(folder, file)).size })),
    /** Text of the key id beside one of them; undefined if there is none. */
    quarantinedKeyId: (file: string): string | undefined => {
      const path = join(folder, `${file}.key-id`)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    },
    /** Removes one of them with all that belongs to it. */
    removeQuarantined: (file: string): void =>
      [...databaseSuffixes, ...besides].forEach((suffix) =>
        rmSync(join(folder, file + suffix), { force: true }),
      ),
    /** Leaves word for the next start, where the files cannot be renamed now. */
    quarantineAtNextStart: (): void => closeSync(openSync(asked, 'a', 0o600)),
    quarantineIfAsked: (): string | null => (existsSync(asked) ? quarantine() : null),
    hasRoom: (): boolean => {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize >= roomNeeded
    },
  }
}
