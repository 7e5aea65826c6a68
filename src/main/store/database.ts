import type { StoreState } from '#shared/bridge/store'
import type { Database } from './sql'

export type { Database, Prepared, SqlRow, SqlValue } from './sql'
export type { StoreState } from '#shared/bridge/store'

/** The encrypted local store: wheelhouse.db in the user-data folder. */
export interface Store {
  state(): StoreState
  onChange(listener: (state: StoreState) => void): () => void
  /** The open, migrated database, or undefined: without it everything works, but nothing is remembered. */
  database(): Database | undefined
  /** Tries again what failed: the keychain is unlocked, or there is room. */
  retry(): Promise<void>
  /** Sets a file aside that cannot be read, and begins a new one. Only where the state is key-lost or damaged. */
  startAfresh(): Promise<void>
  close(): void
}
