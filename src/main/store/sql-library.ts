import type Libsql from 'libsql'
import { FailureError } from '#shared/failure'
import { errorMessage } from './settings-file'
import type { Database, Prepared, SqlRow, SqlValue } from './sql'
import { boundValues, originalRow, originalValues, parameterCount } from './statement-text'

export type SqlFault = 'disk-full' | 'damaged' | 'other'

export type SqlLibrary = typeof Libsql

/** Throws if the library is not installed or has no binary for this computer. */
export const loadSqlLibrary = async (): Promise<SqlLibrary> => (await import('libsql')).default

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Maps SQLite's result codes (sqlite.org/rescode.html). A wrong key looks like damage. Pure. */
const faultOf = (error: unknown): SqlFault => {
  const code = codeOf(error)
  // In WAL mode, a full disk also affects the shared-memory file.
  if (/^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|FSYNC|TRUNCATE))$/.test(code)) return 'disk-full'
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? 'damaged' : 'other'
}

const isRow = (value: unknown): value is SqlRow => typeof value === 'object' && value !== null
const isValues = (value: unknown): value is readonly SqlValue[] => Array.isArray(value)

export interface OpenDatabase extends Database {
  /** Moves the log into the file, which the library does not do. Returns false if the writes stay in the log. */
  checkpoint(): boolean
  close(): void
}

export interface DatabaseFile {
  readonly path: string
  readonly key: string
  /** Called for each failed statement, before the statement throws. */
  onFault(fault: SqlFault, reason: string): void
}

/** Opens or creates an encrypted file. The first statement detects a wrong key or damage. Fails with local-fault. */
export function openDatabase(Library: SqlLibrary, { path, key, onFault }: DatabaseFile): OpenDatabase {
  let closed = false

  function attempt<Value>(action: string, work: () => Value): Value {
    if (closed) throw new FailureError({ kind: 'local-fault', action, reason: 'the store is closed' })
    try {
      return work()
    } catch (error) {
      if (error instanceof FailureError) throw error
      const reason = [codeOf(error), errorMessage(error)].filter(Boolean).join(': ')
      onFault(faultOf(error), reason)
      throw new FailureError({ kind: 'local-fault', action, reason })
    }
  }

  // A variable, as the library's types omit its encryption options.
  const options = { timeout: 0, encryptionCipher: 'aes256cbc', encryptionKey: key }
  const library = attempt('store.open', () => new Library(path, options))
  const prepared = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const ready = () => attempt('store.prepare', () => library.prepare(sql))
    let objects: ReturnType<typeof ready> | undefined
    let raw: typeof objects
    let count: number | undefined
    const bound = (values: readonly SqlValue[]): SqlValue[] =>
      boundValues(values, (count ??= parameterCount(sql)))
    const all = (...values: readonly SqlValue[]): readonly SqlRow[] =>
      attempt('store.read', () => (objects ??= ready()).all(bound(values)).filter(isRow).map(originalRow))
    return {
      // Values are passed as one array: the library mistakes a single null or blob for named parameters.
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
        // SQLite has already rolled back if the disk was full or the file is damaged.
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
