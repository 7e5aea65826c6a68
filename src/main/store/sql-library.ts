import type Libsql from 'libsql'
import { FailureError } from '#shared/failure'
import { words } from './settings-file'
import type { Database, Prepared, SqlRow, SqlValue } from './sql'
import { boundValues, originalRow, originalValues, parameterCount } from './statement-text'

/** What a refused statement says about the file. */
export type SqlFault = 'disk-full' | 'damaged' | 'other'

/** The library's own database class. */
export type SqlLibrary = typeof Libsql

/** Throws where the library has no binary for this computer, or was not installed. */
export const loadSqlLibrary = async (): Promise<SqlLibrary> => (await import('libsql')).default

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** SQLite's result codes (sqlite.org/rescode.html); a wrong key looks like damage. Pure. */
const faultOf = (error: unknown): SqlFault => {
  const code = codeOf(error)
  // In WAL mode a full disk shows in the shared-memory file too.
  if (/^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|FSYNC|TRUNCATE))$/.test(code)) return 'disk-full'
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? 'damaged' : 'other'
}

const isRow = (value: unknown): value is SqlRow => typeof value === 'object' && value !== null
const isValues = (value: unknown): value is readonly SqlValue[] => Array.isArray(value)

export interface OpenDatabase extends Database {
  /** Moves what was written last from the log into the file, which the library leaves undone. False: it stays there. */
  checkpoint(): boolean
  /** Whatever is asked afterwards fails with local-fault. */
  close(): void
}

export interface DatabaseFile {
  readonly path: string
  /** 32 bytes as hex. */
  readonly key: string
  /** Called with what every refused statement says about the file, before it fails. */
  onFault(fault: SqlFault, reason: string): void
}

/**
 * Opens or creates an encrypted database file. The library opens anything: a wrong key and damage show only in the
 * first statement. Fails with local-fault.
 */
export function openDatabase(Library: SqlLibrary, { path, key, onFault }: DatabaseFile): OpenDatabase {
  let closed = false

  function attempt<Value>(action: string, work: () => Value): Value {
    if (closed) throw new FailureError({ kind: 'local-fault', action, reason: 'the store is closed' })
    try {
      return work()
    } catch (error) {
      if (error instanceof FailureError) throw error
      const reason = [codeOf(error), words(error)].filter(Boolean).join(': ')
      onFault(faultOf(error), reason)
      throw new FailureError({ kind: 'local-fault', action, reason })
    }
  }

  // A variable, since the library's types do not know its own options for encryption.
  const options = { timeout: 0, encryptionCipher: 'aes256cbc', encryptionKey: key }
  const library = attempt('store.open', () => new Library(path, options))
  const prepared = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const ready = () => attempt('store.prepare', () => library.prepare(sql))
    // Each is compiled when it is first used.
    let objects: ReturnType<typeof ready> | undefined
    let raw: typeof objects
    let count: number | undefined
    const bound = (values: readonly SqlValue[]): SqlValue[] =>
      boundValues(values, (count ??= parameterCount(sql)))
    const all = (...values: readonly SqlValue[]): readonly SqlRow[] =>
      attempt('store.read', () => (objects ??= ready()).all(bound(values)).filter(isRow).map(originalRow))
    return {
      // Values go as one array: the library takes a lone null or a lone blob for names.
      run: (...values) => attempt('store.write', () => (objects ??= ready()).run(bound(values)).changes),
      all,
      get: (...values) => all(...values)[0],
      arrays: (...values) =>
        attempt('store.read', () =>
          (raw ??= ready().raw()).all(bound(values)).filter(isValues).map(originalValues),
        ),
    }
  }

  const exec = (sql: string): void => {
    attempt('store.write', () => library.exec(sql))
  }

  return {
    prepare: (sql) => {
      const known = prepared.get(sql) ?? prepare(sql)
      prepared.set(sql, known)
      return known
    },
    exec,
    checkpoint: () => {
      try {
        exec('PRAGMA wal_checkpoint(TRUNCATE)')
        return true
      } catch (error) {
        if (error instanceof FailureError) return false
        throw error
      }
    },
    transaction: (work) => {
      exec('BEGIN IMMEDIATE')
      try {
        const value = work()
        exec('COMMIT')
        return value
      } catch (error) {
        // SQLite has rolled back by itself where the disk was full or the file is damaged.
        if (!closed && library.inTransaction) exec('ROLLBACK')
        throw error
      }
    },
    close: () => {
      if (closed) return
      closed = true
      library.close()
    },
  }
}
