import type { Amount, BilledResource, StatementView, UsageView } from '#shared/bridge/billing'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { dateFormat } from '#shared/locale'
import { foreignText } from '../../components/foreign-text'
import { t } from '../../platform/i18n'
import { billingText, typeText } from '../../features/cost/type-text'
import { duration } from '../../platform/time'

export const statusText = (status: string | null): string => billingText('status', status)
export const chargeText = (type: string | null): string => billingText('chargeTypes', type)
export { typeText }

export const amountText = (amount: Amount | null): string =>
  amount === null ? t('billing.notANumber') : formatMoney(amount.money)

export const hourText = (perHour: Amount | null): string =>
  perHour === null ? t('common.unknown') : formatRate(perHour.money)

export const resourceText = ({ id, name }: BilledResource): string => foreignText(name ?? id)

export const minutesText = (minutes: number | null): string =>
  minutes === null ? t('common.unknown') : duration(minutes * 60)

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
/** Formats epoch seconds as day and minute in this computer's time zone. */
export const momentText = (at: number | null): string => (at === null ? t('common.unknown') : moment(at))

export type Entry = StatementView | UsageView
export const isStatement = (entry: Entry): entry is StatementView => 'startedAt' in entry

export const hasEnded = (entry: UsageView): boolean =>
  entry.terminatedAt !== null || entry.status?.toLowerCase() === 'terminated'
