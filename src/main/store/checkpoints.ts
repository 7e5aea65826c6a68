import { statSync } from 'node:fs'
import type { Clock } from '../core/clock'
import type { OpenDatabase } from './sql-library'
import type { StoreDigest } from './store-digest'

export interface CheckpointsDeps {
  /** Of the database file. */
  readonly path: string
  readonly digest: StoreDigest
  readonly clock: Pick<Clock, 'after'>
}

/** Seconds between two looks at the log, and the bytes from which on it is moved into the file. */
const lookEvery = 20
const largestLog = 16 * 1024 * 1024

/**
 * Moves the log into the database file, each time with a new digest: SQLite by itself would leave the old one, by which the
 * file counts as altered.
 */
export function createCheckpoints({ path, digest, clock }: CheckpointsDeps) {
  let open: { readonly database: OpenDatabase; readonly key: string } | undefined
  let cancel = (): void => undefined
  let writing: Promise<void> = Promise.resolve()

  /** Where the digest cannot be written, the next opening checks less. */
  function writeDigest(key: string): void {
    writing = digest.write(key).catch(() => undefined)
  }

  function invalidate(): boolean {
    try {
      digest.invalidate()
      return true
    } catch {
      // What is in the log waits there.
      return false
    }
  }

  /** False: the log stays as it is. */
  function run(): boolean {
    if (!open || !invalidate()) return false
    const isWhole = open.database.checkpoint()
    if (isWhole) writeDigest(open.key)
    return isWhole
  }

  function logBytes(): number {
    return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }
  function look(): void {
    if (logBytes() >= largestLog) run()
    cancel = clock.after(lookEvery, look)
  }

  return {
    run,
    /** `hasDigest`: it has one that fits. */
    begin(database: OpenDatabase, key: string, hasDigest: boolean): void {
      open = { database, key }
      if (!hasDigest) run()
      cancel = clock.after(lookEvery, look)
    },
    /** The caller that opened the file closes it. */
    end(): void {
      cancel()
      open = undefined
    },
    /** Settles once nothing is written any more. */
    settled: () => writing,
  }
}
