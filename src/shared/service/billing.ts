import { z } from 'zod'
import { OptionalNumber, OptionalText } from './optional'
import { OptionalTime, Time } from './time'
import { currencyCode, type Money, moneyFromNumber } from '../money/money'

/** One charge (api-spec.md §2) for [`started_time`, `due_time`) in epoch seconds, in the account's currency. */
export const Statement = z.looseObject({
  id: z.string().min(1),
  resource_id: z.string(),
  resource_type: z.string(),
  status: OptionalText,
  started_time: Time,
  due_time: Time,
  type: OptionalText,
  amount: z.number(),
})
export type Statement = z.infer<typeof Statement>

/** Type of bare metal, which the service reports as a machine (vm). */
export const bareMetalType = 'bare-metal'
const bareMetalSpelling = /^bare[-_ ]?metal$/i

/** Returns the type of a billed resource. `isBareMetal`: whether it is known as bare metal by its id. */
export const billedType = (type: string | null, isBareMetal: boolean): string | null =>
  isBareMetal || bareMetalSpelling.test(type ?? '') ? bareMetalType : type

/** Lower-case statuses of payments that took no money. The column `charged` of the store has the same list. */
const unchargedStatuses: readonly string[] = ['failed', 'refunded', 'void']

/** Amount that a statement took: 0 if the payment failed, was refunded or is void. Negative for refunds and credits. */
export const chargedAmount = ({ status, amount }: Pick<Statement, 'status' | 'amount'>): number =>
  unchargedStatuses.includes(status?.toLowerCase() ?? '') ? 0 : amount

/**
 * Lifetime cost of a resource (api-spec.md §2). `per_minute_fee` and `total_fee` are in the account's currency,
 * `total_uptime` is minutes, times are epoch seconds. `terminated_time` is absent or 0 while the resource exists.
 */
export const Usage = z.looseObject({
  id: z.string().min(1),
  resource: z.looseObject({
    id: z.string(),
    name: OptionalText,
    display_name: OptionalText,
    type: OptionalText,
  }),
  per_minute_fee: OptionalNumber,
  total_uptime: OptionalNumber,
  total_fee: OptionalNumber,
  created_time: OptionalTime,
  terminated_time: OptionalTime,
  status: OptionalText,
})
export type Usage = z.infer<typeof Usage>

/** Whether the resource has ended, by its status (api-spec.md §3), else by its end time. Pure. */
export function isOver({ status, created_time, terminated_time: end }: Usage, now: number): boolean {
  const word = status?.toLowerCase()
  if (word === 'active' || word === 'terminated') return word === 'terminated'
  return typeof end === 'number' && end > 0 && end >= (created_time ?? 0) && end <= now
}

/** Available balance by currency (GET /billing/balance, service-extensions.md). */
export const Balance = z.looseObject({ available: z.record(z.string(), z.unknown()) })

/** Balance in one currency. Rejects unknown currencies and invalid amounts. */
export const BalanceRecord = z
  .object({ currency: z.string(), amount: z.number() })
  .transform(({ currency, amount }, context): Money => {
    const code = currencyCode(currency)
    const money = code === null ? null : moneyFromNumber(amount, code)
    if (money !== null) return money
    context.addIssue({ code: 'custom', message: 'is no money' })
    return z.NEVER
  })
