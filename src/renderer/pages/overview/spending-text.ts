import type { SpendingView } from '#shared/bridge/cost'
import { formatMoney } from '#shared/money/money'
import { t } from '../../platform/i18n'
import { ago, duration } from '../../platform/time'
import type { BalanceLeft, SpendingFigures } from './spending-figures'

/** What is charged for now: `7 machines, 9 volumes`. */
export function runningText({ running: { machines, volumes, others } }: SpendingView): string {
  const words = [
    machines > 0 ? t('overview.now.machines', {}, machines) : null,
    volumes > 0 ? t('overview.now.volumes', {}, volumes) : null,
    others > 0 ? t('overview.now.others', {}, others) : null,
  ].filter((part) => part !== null)
  return words.length > 0 ? words.join(', ') : t('overview.now.nothing')
}

/** Returns how long a balance lasts. */
export function balanceText(left: BalanceLeft['left']): string {
  if (left === 'unknown') return t('overview.balance.unknown')
  if (left === null) return t('overview.balance.still')
  return left > 0 ? t('overview.balance.lasts', { duration: duration(left) }) : t('overview.balance.used')
}

/** That nothing names the currency of some accounts' amounts, said once for all of them. */
export function assumedText(
  accounts: readonly { readonly label: string; readonly assumed: readonly string[] }[],
): string {
  const concerned = accounts.filter(({ assumed }) => assumed.length > 0)
  const currency = [...new Set(concerned.flatMap(({ assumed }) => assumed))].join(', ')
  if (concerned.length === 0) return ''
  return concerned.length === accounts.length
    ? t('overview.assumed', { currency })
    : t('overview.assumedOf', { currency, accounts: concerned.map(({ label }) => label).join(', ') })
}

/** What must be known of the amounts to read them right. `now` is epoch seconds. */
export function remarks(view: SpendingView, figures: SpendingFigures, now: number): readonly string[] {
  const estimated = figures.estimated.map((money) => formatMoney(money)).join(', ')
  return [
    view.failure ? t('overview.stale', { age: ago(view.usageAsOf ?? view.asOf, now) }) : null,
    view.history === 'partial' ? t('overview.partial') : null,
    view.history === 'none' ? t('overview.estimatedOnly') : null,
    view.history === 'complete' && estimated !== ''
      ? t('overview.month.estimated', { amount: estimated })
      : null,
  ].filter((remark) => remark !== null)
}
