import type { FlavorView } from '#shared/bridge/catalog'
import type { Template } from '#shared/bridge/template'
import { formatRate } from '#shared/money/format-money'
import type { Money } from '#shared/money/money'
import { lacksValues } from '#shared/secret-mask'
import { t } from '../../platform/i18n'

/** Whether one click creates a machine, at this price per hour. `asks`: it opens the form, for this reason. */
export type Readiness =
  | { readonly kind: 'ready'; readonly price: Money }
  | {
      readonly kind: 'asks'
      readonly why: 'loading' | 'machines' | 'flavor' | 'stock' | 'unpriced' | 'answers'
    }

/** State of the account that decides about one click. `flavors`: null if they can't be read. */
export interface AccountFacts {
  readonly flavors: readonly FlavorView[] | 'loading' | null
  /** Whether the names of machines are known, and so which name is free. */
  readonly areMachinesRead: boolean
  readonly isCurrencyAssumed: boolean
  /** Whether the user allows SSH for jobs and the start of each machine. */
  readonly isSshAllowed: boolean
}

/** Decides from the offers and the template. The form checks everything else before it sends. Pure. */
export function readinessOf(template: Template, facts: AccountFacts): Readiness {
  const { flavor: name, region, image, key, commands, end, initScript, ssh } = template
  if (facts.flavors === 'loading') return { kind: 'asks', why: 'loading' }
  if (facts.flavors === null) return { kind: 'asks', why: 'unpriced' }
  if (!facts.areMachinesRead) return { kind: 'asks', why: 'machines' }
  const flavor = facts.flavors.find(
    (offer) => offer.name === name && [offer.region.id, offer.region.name].includes(region),
  )
  if (!flavor) return { kind: 'asks', why: 'flavor' }
  if (flavor.inStock === false) return { kind: 'asks', why: 'stock' }
  const needsSsh = commands.trim() !== '' && !facts.isSshAllowed
  const isIncomplete = [initScript, commands, ssh.options].some(lacksValues)
  if (end !== null || image === null || key === null || needsSsh || isIncomplete)
    return { kind: 'asks', why: 'answers' }
  const { price } = flavor
  return price && !facts.isCurrencyAssumed ? { kind: 'ready', price } : { kind: 'asks', why: 'unpriced' }
}

const reasons = {
  loading: 'templates.oneClick.loading',
  machines: 'templates.oneClick.machines',
  flavor: 'templates.oneClick.flavor',
  stock: 'creation.gpu.stock.sold-out',
  unpriced: 'creation.gpu.unpriced',
  answers: 'templates.oneClick.answers',
} as const

/** Returns the price of a machine, or why the form opens first. */
export const readinessText = (readiness: Readiness): string =>
  readiness.kind === 'ready'
    ? t('templates.oneClick.price', { price: formatRate(readiness.price) })
    : t(reasons[readiness.why])
