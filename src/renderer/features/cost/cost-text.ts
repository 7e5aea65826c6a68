import type { Cost, CostResource, CostShare, ResourceCost } from '#shared/bridge/cost'
import { numberFormat } from '#shared/locale'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { type Money, moneyFromNumber } from '#shared/money/money'
import { bareMetalType } from '#shared/service/billing'
import { t } from '../../platform/i18n'
import { shortGpuText } from '../machine-text'
import { typeText } from './type-text'

export const sumOf = ({ charged, estimated }: Cost): number => charged + estimated

export const moneyText = (millionths: number | null, currency: string): string =>
  millionths === null ? t('common.unknown') : formatMoney({ millionths, currency })

/** Returns the cost of a resource in the period; null if it is 0 only because the fee or the start is unknown. */
export function periodCost({ resource, period, perHour, seconds }: ResourceCost): number | null {
  const isUndated =
    resource.state === 'active' && resource.createdAt === null && seconds === 0 && (perHour ?? 0) > 0
  return sumOf(period) === 0 && (perHour === null || isUndated) ? null : sumOf(period)
}

export const rateText = (millionths: number | null, currency: string): string =>
  millionths === null ? t('common.unknown') : formatRate({ millionths, currency })

/** Formats a chart's value, in units of the currency. */
export const chartMoney = (value: number, currency: string): string => {
  const money: Money = moneyFromNumber(Number(value.toFixed(6)), currency) ?? { millionths: 0, currency }
  return formatMoney(money)
}

/** Formats a value of a chart's axis, with enough digits for small amounts. */
export const axisMoney = numberFormat({ maximumFractionDigits: 6 })

/** Returns the name of all resources of a type; unknown types are named as the service spells them. */
function typeShareText(type: string): string {
  if (type === 'vm') return t('billing.costs.shares.machines')
  if (type === bareMetalType) return t('billing.costs.shares.bareMetal')
  if (type === 'volume') return t('billing.costs.shares.volumes')
  return type
}

export function shareText(share: CostShare): string {
  switch (share.kind) {
    case 'total':
      return t('billing.costs.shares.total')
    case 'none':
      return t('billing.costs.shares.none')
    case 'unknown':
      return t('billing.costs.shares.unknown')
    case 'others':
      return t('billing.costs.shares.others', { count: share.count })
    case 'named':
      return share.key === share.name ? typeShareText(share.name) : share.name
  }
}

export const resourceName = ({ id, name }: Pick<CostResource, 'id' | 'name'>): string => name ?? id

/** Returns text such as "8 × H100", or "unknown". */
export function gpuText({ gpu, gpuCount, type }: CostResource): string {
  if (gpu === 'none') return typeText(type)
  if (gpu === null) return type === 'volume' ? typeText(type) : t('billing.costs.unknownGpu')
  const flavor = { name: null, cpu: null, ram: null, disk: null, gpu, gpuCount }
  return shortGpuText(flavor) ?? gpu
}
