import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

const state = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })

/**
 * How the encrypted local store stands. Without it everything works, but nothing is remembered. Each kind has its own
 * words in messages/en/store.ts. `reason` is the system's.
 */
export const StoreState = z.discriminatedUnion('kind', [
  state('opening', {}),
  /** `quarantined`: name of the file that damaged data were moved to when this one was begun; null where none was. */
  state('open', { quarantined: z.string().nullable() }),
  /** There is no keychain on this computer: nothing private is kept. */
  state('no-keychain', { reason: z.string() }),
  /** The keychain is there but does not open: the data wait, untouched. */
  state('locked', { reason: z.string() }),
  /** The keychain is open and lacks the key of the file: the data stay, and cannot be read. */
  state('key-lost', {}),
  /** The file is damaged and could not even be quarantined. */
  state('damaged', { reason: z.string() }),
  /** What is there can be read; nothing new is kept until there is room. */
  state('disk-full', {}),
  /** The database library does not run on this computer. */
  state('unsupported', { reason: z.string() }),
  /** The file could not be opened for another reason, such as missing rights. */
  state('failed', { reason: z.string() }),
])
export type StoreState = z.infer<typeof StoreState>

/** How well the ledger of an account is known. */
export const LedgerState = z.object({
  account: AccountId,
  /** Grows when a row is new, changed or gone; begins anew with the application. */
  revision: z.number().int(),
  /** Statements in the store. */
  known: z.number(),
  /** How many the service says there are; null where it does not say, or was not asked yet. */
  total: z.number().nullable(),
  /** Everything was read at least once: sums over any time are right as of `lastSync`. */
  complete: z.boolean(),
  /** A reading is under way. */
  reading: z.boolean(),
  /** Epoch seconds of the last reading that succeeded; null before the first. */
  lastSync: z.number().nullable(),
  /** The same of usage: what is charged for now is known as of then. */
  usageLastSync: z.number().nullable(),
  /** Why the last reading failed. */
  failure: Failure.nullable(),
  /** Records of statements and usage that cannot be read, and are missing in every sum. */
  unreadable: UnreadableRecords.optional(),
})
export type LedgerState = z.infer<typeof LedgerState>

/** A file that could not be read, kept under another name. */
export const QuarantinedItem = z.object({
  id: z.string(),
  /** `settings`: text; `database`: encrypted, of use only with its key. */
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
  /** Tries to open it again: the keychain was unlocked, or there is room. */
  'store.retry': call(z.object({}), StoreState),
  /** Quarantines a file that cannot be read (key-lost, damaged) and begins a new one. */
  'store.startAfresh': call(z.object({}), StoreState),
  'store.quarantine': call(z.object({}), z.array(QuarantinedItem)),
  /** Writes one of kind `settings` where the person wants it. Fails with invalid-input, cancelled, disk-full, local-fault. */
  'store.exportQuarantined': call(QuarantinedId, z.object({ file: z.string() })),
  /** Removes it for ever. Answers what is left. Fails with invalid-input and local-fault. */
  'store.eraseQuarantined': call(QuarantinedId, z.array(QuarantinedItem)),
} as const

export const ledgerCalls = {
  'ledger.state': call(z.object({ account: AccountId }), LedgerState),
} as const

export const storeEvents = {
  'store.changed': StoreState,
} as const

export const ledgerEvents = {
  'ledger.changed': LedgerState,
} as const
