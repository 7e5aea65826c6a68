import { FailureError } from '#shared/failure'
import { createTables, type Schema, schemaVersion } from './schema'
import { errorMessage } from './settings-file'
import { openDatabase, type OpenDatabase, type SqlFault, type SqlLibrary } from './sql-library'

export type Opened =
  | { readonly kind: 'open'; readonly database: OpenDatabase }
  | { readonly kind: 'disk-full' }
  | { readonly kind: Exclude<SqlFault, 'disk-full'>; readonly reason: string }

export interface StoreFile {
  readonly path: string
  readonly key: string
  readonly schema: Schema
  /** Whether its digest matches. Otherwise SQLite checks the file. */
  readonly isVerified: boolean
  /** Called for failed statements once the database is open. */
  onFault(fault: SqlFault, reason: string): void
}

/**
 * - WAL: readers and the writer do not wait for each other, and a page of rows is one short write.
 * - NORMAL: the last writes may be lost in a power cut; the ledger reads their data again.
 * - The log is not moved into the file by SQLite itself: see checkpoints.ts.
 * - Temporary tables and sorting stay in memory: only the database itself is encrypted.
 * - The page cache is 1 MB, because the system caches the file too.
 */
export const pragmas =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1000;'

function complaintOf(database: OpenDatabase): string | null {
  const answer = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check
  return answer === 'ok' ? null : String(answer)
}

/** Opens or creates the file. A schema of another version counts as damage. Never fails. */
export function openStoreDatabase(
  library: SqlLibrary,
  { path, key, schema, isVerified, onFault }: StoreFile,
): Opened {
  let last: { fault: SqlFault; reason: string } = { fault: 'other', reason: '' }
  let isOpen = false
  let database: OpenDatabase | undefined
  try {
    database = openDatabase(library, {
      path,
      key,
      onFault: (fault, reason) => {
        last = { fault, reason }
        if (isOpen) onFault(fault, reason)
      },
    })
    // The first statement that reads the file detects damage.
    const version = schemaVersion(database)
    const complaint = isVerified ? null : complaintOf(database)
    if (complaint !== null) {
      database.close()
      return { kind: 'damaged', reason: complaint }
    }
    if (version !== 0 && version !== schema.version) {
      database.close()
      return {
        kind: 'damaged',
        reason: `schema version ${String(version)} instead of ${String(schema.version)}`,
      }
    }
    database.exec(pragmas)
    createTables(database, schema)
    isOpen = true
    return { kind: 'open', database }
  } catch (error) {
    database?.close()
    if (last.fault === 'disk-full') return { kind: 'disk-full' }
    return { kind: last.fault, reason: last.reason || errorMessage(error) }
  }
}

/** Opens a database in memory with the same schema; undefined if that fails. */
export function openMemoryDatabase(library: SqlLibrary, schema: Schema): OpenDatabase | undefined {
  try {
    const database = openDatabase(library, { path: ':memory:', key: '', onFault: () => undefined })
    database.exec('PRAGMA temp_store = MEMORY')
    createTables(database, schema)
    return database
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}
