import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

/** What is left to spend, by currency. `asOf` is epoch seconds. */
export const BalanceView = z.object({
  available: z.array(Money),
  asOf: z.number(),
  /** Currencies that are none, or amounts; absent where all could be read. */
  unreadable: UnreadableRecords.optional(),
})
export type BalanceView = z.infer<typeof BalanceView>

export const balanceCalls = {
  /** Null where the service does not report it, and before it has been read. */
  'balance.read': call(z.object({ account: AccountId }), BalanceView.nullable()),
} as const

export const balanceEvents = {
  'balance.changed': z.object({ account: AccountId, balance: BalanceView.nullable() }),
} as const
