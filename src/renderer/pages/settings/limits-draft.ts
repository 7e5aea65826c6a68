import { AlertLimits } from '#shared/bridge/alert'
import { defaultCurrency, type Money, moneyFromDecimal } from '#shared/money/money'
import type { MessagePath } from '../../platform/i18n'

/** An amount as it is typed. */
export interface MoneyDraft {
  readonly amount: string
  readonly currency: string
}

/** The limits as they are typed; an empty field is not watched. */
export interface LimitsDraft {
  readonly budget: MoneyDraft
  readonly perHour: MoneyDraft
  readonly runningHours: string
  readonly balanceDays: string
}

export type LimitField = keyof LimitsDraft

/** Decimal text of whole millionths, without zeros that say nothing: `1200`, `0.5`. */
function decimal({ millionths }: Money): string {
  const digits = String(millionths).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return digits.slice(0, -6) + (fraction === '' ? '' : `.${fraction}`)
}

const moneyDraft = (money: Money | null, currency: string): MoneyDraft =>
  money ? { amount: decimal(money), currency: money.currency } : { amount: '', currency }

/** `currency`: what the account is charged in. */
export const draftOf = (limits: AlertLimits, currency = defaultCurrency): LimitsDraft => ({
  budget: moneyDraft(limits.budget, currency),
  perHour: moneyDraft(limits.perHour, currency),
  runningHours: limits.runningHours === null ? '' : String(limits.runningHours),
  balanceDays: limits.balanceDays === null ? '' : String(limits.balanceDays),
})

/** What a draft means, and what is wrong with each of its fields. Grouping commas and spaces are let through. */
export function readDraft(draft: LimitsDraft): {
  readonly limits: AlertLimits | null
  readonly wrong: Readonly<Partial<Record<LimitField, MessagePath>>>
} {
  const wrong: Partial<Record<LimitField, MessagePath>> = {}
  const money = (field: 'budget' | 'perHour'): Money | null => {
    const amount = draft[field].amount.replace(/[\s,](?=\d{3}(?:\D|$))/g, '').trim()
    if (amount === '') return null
    const currency = draft[field].currency.trim().toUpperCase()
    const read = moneyFromDecimal(amount, currency)
    if (!/^[A-Z]{3}$/.test(currency)) wrong[field] = 'alerts.limits.wrong.currency'
    else if (!read || read.millionths <= 0) wrong[field] = 'alerts.limits.wrong.money'
    return read
  }
  const whole = (field: 'runningHours' | 'balanceDays', words: MessagePath): number | null => {
    const text = draft[field].trim()
    if (text === '') return null
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (!AlertLimits.shape[field].safeParse(value).success) wrong[field] = words
    return value
  }
  const limits = {
    budget: money('budget'),
    perHour: money('perHour'),
    runningHours: whole('runningHours', 'alerts.limits.wrong.hours'),
    balanceDays: whole('balanceDays', 'alerts.limits.wrong.days'),
  }
  return { limits: Object.keys(wrong).length === 0 ? limits : null, wrong }
}
