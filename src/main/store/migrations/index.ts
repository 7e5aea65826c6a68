import { ledger } from './001-ledger'
import type { Migration } from './migration'

/** Every step of the store's schema, in order. */
export const migrations: readonly Migration[] = [ledger]
