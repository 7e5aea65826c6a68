import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ResourceCost } from '#shared/bridge/cost'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { type Money, sumByCurrency } from '#shared/money/money'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

const maxResources = 1_000

const joined = (amounts: readonly Money[], format: (money: Money) => string): string =>
  sumByCurrency(amounts).map(format).join(' + ')

/** Returns the total cost as one line by currency. `saves`: deleting ends it; `billed`: it goes on. Blank at first. */
export function useCostsOf(account: AccountId, ids: readonly string[], kind: 'saves' | 'billed') {
  const items = shallowRef<readonly ResourceCost[] | null>(null)
  if (ids.length > 0)
    bridge
      .call('cost.resources', { account, period: null, only: ids.slice(0, maxResources), limit: null })
      .then((costs) => (items.value = costs.items))
      .catch((error: unknown) => {
        console.error('cost.resources', error)
        items.value = []
      })

  return computed((): string => {
    if (items.value === null) return '\u00a0'
    const rates = items.value.flatMap(({ perHour, currency }) =>
      perHour === null ? [] : [{ currency, millionths: perHour }],
    )
    const lives = items.value.flatMap(({ life, currency }) =>
      life === null ? [] : [{ currency, millionths: life }],
    )
    const known = new Set(
      items.value.flatMap(({ resource, perHour }) => (perHour === null ? [] : resource.id)),
    )
    // Unknown costs are counted, never added as 0.
    const unknown = ids.filter((id) => !known.has(id)).length
    return [
      known.size > 0 ? t(`common.many.costs.${kind}`, { amount: joined(rates, formatRate) }) : '',
      lives.length > 0 ? t('common.many.costs.soFar', { amount: joined(lives, formatMoney) }) : '',
      unknown > 0 ? t('common.many.costs.unknown', { count: unknown }) : '',
    ]
      .filter((fact) => fact !== '')
      .join(' · ')
  })
}
