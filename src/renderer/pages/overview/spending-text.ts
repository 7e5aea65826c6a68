import type { SpendingView } from '#shared/bridge/cost'
import { formatCount } from '#shared/locale'
import { formatMoney } from '#shared/money/format-money'
import { t } from '../../platform/i18n'
import { ago, duration } from '../../platform/time'
import type { BalanceLeft, SpendingFigures } from './spending-figures'

/** Returns the charged resources as text: `7 machines, 9 volumes`. */
export function runningText({ running: { machines, bareMetal, volumes, others } }: SpendingView): string {
  const parts = [
    machines > 0 ? t('overview.now.machines', {}, machines) : null,
    bareMetal > 0 ? t('overview.now.bareMetal', { count: formatCount(bareMetal) }) : null,
    volumes > 0 ? t('overview.now.volumes', {}, volumes) : null,
    others > 0 ? t('overview.now.others', {}, others) : null,
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(t('common.listSeparator')) : t('overview.now.nothing')
}

export function balanceText(left: BalanceLeft['left']): string {
  if (left === 'unknown') return t('overview.balance.unknown')
  if (left === null) return t('overview.balance.still')
  return left > 0 ? t('overview.balance.lasts', { duration: duration(left) }) : t('overview.balance.used')
}

/** Returns one notice for all accounts whose currency is assumed. */
export function assumedText(
  accounts: readonly { readonly label: string; readonly assumed: readonly string[] }[],
): string {
  const affected = accounts.filter(({ assumed }) => assumed.length > 0)
  const currency = [...new Set(affected.flatMap(({ assumed }) => assumed))].join(t('common.listSeparator'))
  if (affected.length === 0) return ''
  return affected.length === accounts.length
    ? t('overview.assumed', { currency })
    : t('overview.assumedOf', {
        currency,
        accounts: affected.map(({ label }) => label).join(t('common.listSeparator')),
      })
}

/** Returns remarks on the reliability of the amounts. `now` in epoch seconds. */
export function remarks(view: SpendingView, figures: SpendingFigures, now: number): readonly string[] {
  const estimated = figures.estimated.map((money) => formatMoney(money)).join(t('common.listSeparator'))
  return [
    view.failure ? t('overview.stale', { age: ago(view.usageAsOf ?? view.asOf, now) }) : null,
    view.history === 'partial' ? t('overview.partial') : null,
    view.history === 'none' ? t('overview.estimatedOnly') : null,
    view.history === 'complete' && estimated !== ''
      ? t('overview.month.estimated', { amount: estimated })
      : null,
  ].filter((remark) => remark !== null)
}
