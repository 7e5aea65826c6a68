import type { WasteItem, WasteTotal } from '#shared/bridge/waste'
import { assertNever } from '#shared/assert-never'
import { wasteTotalText } from '#shared/messages/waste-text'
import { formatMoney, formatRate } from '#shared/money/format-money'
import type { Money } from '#shared/money/money'
import { resourceKey } from '#shared/resource-key'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'
import type { AccountWaste } from '../../stores/waste'
import { duration } from '../../platform/time'
import { gibibytes } from '../gpu/gpu-text'
import { statusText } from '../machine-text'

/** Returns a key that is unique even for a resource that is charged in several currencies. */
export const wasteKey = ({ account, id, perHour, soFar }: AccountWaste): string =>
  [account, id, (perHour ?? soFar)?.currency].join(' ')

/** Whether the application can delete the resource now. */
export const isDeletable = ({ end }: WasteItem): boolean =>
  end === 'delete-machine' || end === 'delete-volume' || end === 'detach-and-delete'

/** Returns one item of each resource. A resource that is charged in several currencies has several. */
export const oncePerResource = (items: readonly AccountWaste[]): readonly AccountWaste[] => [
  ...new Map(items.map((item) => [resourceKey(item.account, item.id), item])).values(),
]

export const wasteName = ({ name, id }: WasteItem): string => foreignText(name ?? id, 300)

/** Explains why a resource is wasted. `now`: epoch seconds. */
export function reasonText({ reason }: WasteItem, now: number): string {
  switch (reason.kind) {
    case 'idle':
      return t(reason.held === null ? 'waste.reason.idle' : 'waste.reason.held', {
        duration: duration(now - reason.since),
        memory: gibibytes(reason.held ?? 0).text,
      })
    case 'barely-used':
      return t('waste.reason.barelyUsed', { duration: duration(now - reason.since) })
    case 'cpu-idle':
      return t('waste.reason.cpuIdle', { duration: duration(now - reason.since) })
    case 'unmeasured':
      return t('waste.reason.unmeasured')
    case 'stopped':
      return t('waste.reason.stopped', { status: statusText(reason.status) })
    case 'detached':
      return t('waste.reason.detached')
    case 'of-stopped':
      return t('waste.reason.ofStopped', { machine: reason.name })
    case 'bare-metal':
      return t('waste.reason.bareMetal')
    case 'unlisted':
      return t('waste.reason.unlisted')
    default:
      return assertNever(reason)
  }
}

function pastText({ kind }: WasteItem['reason']): 'waste.wasted' | 'waste.spent' | 'waste.sinceCreated' {
  if (kind === 'idle' || kind === 'barely-used') return 'waste.wasted'
  return kind === 'cpu-idle' ? 'waste.spent' : 'waste.sinceCreated'
}

export function amountTexts({ perHour, perMonth, soFar, reason }: WasteItem) {
  return {
    perHour: perHour ? t('waste.perHour', { amount: formatRate(perHour) }) : t('waste.priceUnknown'),
    soFar: soFar ? t(pastText(reason), { amount: formatMoney(soFar) }) : t('waste.soFarUnknown'),
    perMonth: perMonth && t('waste.perMonth', { amount: formatMoney(perMonth) }),
  }
}

/** Returns how much of the waste so far comes from ended resources, or an empty text. */
export const endedText = (ended: readonly Money[]): string =>
  ended.length === 0 ? '' : t('waste.ended', { amount: ended.map((money) => formatMoney(money)).join(' + ') })

export const totalText = (totals: readonly WasteTotal[]): string => wasteTotalText(totals, tPath)
