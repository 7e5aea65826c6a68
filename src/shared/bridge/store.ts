import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId, OneAccount } from './account'
import { call, variant } from './define'
import { UnreadableRecords } from './listing'

/** State of the encrypted store. Without it everything works, but nothing is stored. `reason`: the system's. */
export const StoreState = z.discriminatedUnion('kind', [
  variant('opening', {}),
  /** `quarantined`: name of the damaged file that this one replaced; null if none. */
  variant('open', { quarantined: z.string().nullable() }),
  /** There is no keychain on this computer, so nothing private is stored. */
  variant('no-keychain', { reason: z.string() }),
  /** The keychain is locked; the file stays unchanged. */
  variant('locked', { reason: z.string() }),
  /** The unlocked keychain lacks the key of the file, so the file cannot be read. */
  variant('key-lost', {}),
  variant('damaged', { reason: z.string() }),
  /** Stored data can be read; nothing new is stored until there is room. */
  variant('disk-full', {}),
  variant('unsupported', { reason: z.string() }),
  /** The file could not be opened for another reason, such as missing permissions. */
  variant('failed', { reason: z.string() }),
])
export type StoreState = z.infer<typeof StoreState>

/** State of the ledger of an account. */
export const LedgerState = z.object({
  account: AccountId,
  /** Increases when a row changes; starts again with the application. */
  revision: z.number().int(),
  known: z.number(),
  /** Number of statements that the service reports; null if not reported or not read yet. */
  total: z.number().nullable(),
  /** Everything was read at least once, so sums over any period are correct as of `lastSync`. */
  complete: z.boolean(),
  reading: z.boolean(),
  /** Epoch seconds of the last successful reading; null before the first. */
  lastSync: z.number().nullable(),
  /** The same for usage, which shows current charges. */
  usageLastSync: z.number().nullable(),
  failure: Failure.nullable(),
  /** Unreadable statements and usage, which all sums lack. */
  unreadable: UnreadableRecords.optional(),
})
export type LedgerState = z.infer<typeof LedgerState>

export const QuarantinedItem = z.object({
  id: z.string(),
  /** `settings`: text. `database`: encrypted, readable only with its key. */
  kind: z.enum(['settings', 'database']),
  name: z.string(),
  bytes: z.number().int(),
  /** The user removed an account, and its data could not be erased from this file. */
  mayHoldRemovedAccounts: z.boolean().optional(),
})
export type QuarantinedItem = z.infer<typeof QuarantinedItem>

const QuarantinedId = z.object({ id: z.string() })

export const storeCalls = {
  'store.state': call(z.object({}), StoreState),
  /** Tries to open it again, as after the keychain was unlocked or the disk has room. */
  'store.retry': call(z.object({}), StoreState),
  /** Quarantines an unreadable file (key-lost, damaged) and creates a new one. */
  'store.startAfresh': call(z.object({}), StoreState),
  'store.quarantine': call(z.object({}), z.array(QuarantinedItem)),
  /** Saves an item of kind `settings` elsewhere. Fails with invalid-input, cancelled, disk-full, local-fault. */
  'store.exportQuarantined': call(QuarantinedId, z.object({ file: z.string() })),
  'store.eraseQuarantined': call(QuarantinedId, z.array(QuarantinedItem)),
} as const

export const ledgerCalls = {
  'ledger.state': call(OneAccount, LedgerState),
} as const

export const storeEvents = {
  'store.changed': StoreState,
} as const

export const ledgerEvents = {
  'ledger.changed': LedgerState,
} as const
