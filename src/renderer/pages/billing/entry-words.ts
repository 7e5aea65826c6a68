import type { Amount, BilledResource, StatementView, UsageView } from '#shared/bridge/billing'
import { formatMoney } from '#shared/money/money'
import { t } from '../../platform/i18n'
import { billingWords, typeWords } from '../../features/cost/type-words'
import { duration } from '../../platform/time'

export const statusWords = (status: string | null): string => billingWords('status', status)
export const chargeWords = (type: string | null): string => billingWords('chargeTypes', type)
export { typeWords }

export const amountWords = (amount: Amount | null): string =>
  amount === null ? t('billing.notANumber') : formatMoney(amount.money)

/** What it is called, or its id where nobody knows. */
export const resourceWords = ({ id, name }: BilledResource): string => name ?? id

export const minutesWords = (minutes: number | null): string =>
  minutes === null ? t('common.notTold') : duration(minutes * 60)

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** Epoch seconds as day and minute of this computer's zone. */
export const momentWords = (at: number | null): string =>
  at === null ? t('common.notTold') : moment.format(at * 1000)

export type Entry = StatementView | UsageView
export const isStatement = (entry: Entry): entry is StatementView => 'startedAt' in entry

/** Whether what is billed still exists, as far as usage tells: it has no end. */
export const hasEnded = (entry: UsageView): boolean =>
  entry.terminatedAt !== null || entry.status === 'terminated'
