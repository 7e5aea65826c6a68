import { z } from 'zod'
import { Money } from '../money/money'
import { AccountId, OneAccount } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'

/** Available balance by currency. `asOf` is epoch seconds. */
export const BalanceView = z.object({
  available: z.array(Money),
  asOf: z.number(),
  unreadable: UnreadableRecords.optional(),
})
export type BalanceView = z.infer<typeof BalanceView>

export const balanceCalls = {
  /** Null if the service does not report it, or it has not been read yet. */
  'balance.read': call(OneAccount, BalanceView.nullable()),
} as const

export const balanceEvents = {
  'balance.changed': z.object({ account: AccountId, balance: BalanceView.nullable() }),
} as const
