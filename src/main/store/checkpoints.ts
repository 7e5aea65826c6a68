import { statSync } from 'node:fs'
import type { Clock } from '../core/clock'
import type { OpenDatabase } from './sql-library'
import type { StoreDigest } from './store-digest'

export interface CheckpointsDeps {
  readonly path: string
  readonly digest: StoreDigest
  readonly clock: Pick<Clock, 'after'>
}

const checkSeconds = 20
const maxLogBytes = 16 * 1024 * 1024

/**
 * Moves the write-ahead log into the database file and renews the digest. SQLite's automatic checkpoints would leave
 * the old digest, and the file would count as altered.
 */
export function createCheckpoints({ path, digest, clock }: CheckpointsDeps) {
  let open: { readonly database: OpenDatabase; readonly key: string } | undefined
  let cancel = (): void => undefined
  let writing: Promise<void> = Promise.resolve()

  /** Without a digest, the next start runs SQLite's own check. */
  function writeDigest(key: string): void {
    writing = digest.write(key).catch(() => undefined)
  }

  function invalidate(): boolean {
    try {
      digest.invalidate()
      return true
    } catch {
      // The writes stay in the log.
      return false
    }
  }

  /** Returns false if the log stays as it is. */
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
    if (logBytes() >= maxLogBytes) run()
    cancel = clock.after(checkSeconds, look)
  }

  return {
    run,
    begin(database: OpenDatabase, key: string, hasDigest: boolean): void {
      open = { database, key }
      if (!hasDigest) run()
      cancel = clock.after(checkSeconds, look)
    },
    /** Stops checkpoints. The caller closes the database. */
    end(): void {
      cancel()
      open = undefined
    },
    /** Resolves when nothing more is written. */
    idle: () => writing,
  }
}
