import { AlertLimits } from '#shared/bridge/alert'
import { defaultCurrency, type Money, moneyFromDecimal } from '#shared/money/money'
import { readAmount, typedMoney } from '#shared/money/read-amount'
import type { MessagePath } from '../../platform/i18n'
import type { FieldReading } from './settings-form'

export interface MoneyDraft {
  readonly amount: string
  readonly currency: string
}

/** Typed limits; an empty field is no limit. */
export interface LimitsDraft {
  readonly budget: MoneyDraft
  readonly perHour: MoneyDraft
  readonly runningHours: string
  readonly balanceDays: string
}

export type LimitField = keyof LimitsDraft
export const limitFields: readonly LimitField[] = ['budget', 'perHour', 'runningHours', 'balanceDays']

export interface LimitsReading extends Readonly<Record<LimitField, FieldReading<unknown>>> {
  readonly budget: FieldReading<Money | null>
  readonly perHour: FieldReading<Money | null>
  readonly runningHours: FieldReading<number | null>
  readonly balanceDays: FieldReading<number | null>
}

/** Returns an amount as the user would type it in the current locale. */
export const moneyDraft = (money: Money | null, currency: string): MoneyDraft =>
  money ? { amount: typedMoney(money), currency: money.currency } : { amount: '', currency }

/** Returns the fields of saved limits. `currency`: the account's currency, for empty amounts. */
export const draftOf = (limits: AlertLimits, currency = defaultCurrency): LimitsDraft => ({
  budget: moneyDraft(limits.budget, currency),
  perHour: moneyDraft(limits.perHour, currency),
  runningHours: limits.runningHours === null ? '' : String(limits.runningHours),
  balanceDays: limits.balanceDays === null ? '' : String(limits.balanceDays),
})

/** Reads a typed amount; an empty one is null. Pure. */
export function readMoney(draft: MoneyDraft): FieldReading<Money | null> {
  const currency = draft.currency.trim().toUpperCase()
  const reading = readAmount(draft.amount, currency)
  if (reading.kind === 'empty') return { kind: 'value', value: null }
  if (!/^[A-Z]{3}$/.test(currency)) return { kind: 'wrong', message: 'alerts.limits.wrong.currency' }
  const money = reading.kind === 'wrong' ? null : moneyFromDecimal(reading.decimal, currency)
  if (!money || money.millionths <= 0) return { kind: 'wrong', message: 'alerts.limits.wrong.money' }
  return reading.kind === 'ambiguous' ? { kind: 'ambiguous', money } : { kind: 'value', value: money }
}

function readWhole(
  field: 'runningHours' | 'balanceDays',
  typed: string,
  message: MessagePath,
): FieldReading<number | null> {
  const text = typed.trim()
  if (text === '') return { kind: 'value', value: null }
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return AlertLimits.shape[field].safeParse(value).success
    ? { kind: 'value', value }
    : { kind: 'wrong', message }
}

/** Reads the fields independently, so that an invalid field does not block the rest. Pure. */
export const readDraft = (draft: LimitsDraft): LimitsReading => ({
  budget: readMoney(draft.budget),
  perHour: readMoney(draft.perHour),
  runningHours: readWhole('runningHours', draft.runningHours, 'alerts.limits.wrong.hours'),
  balanceDays: readWhole('balanceDays', draft.balanceDays, 'alerts.limits.wrong.days'),
})
