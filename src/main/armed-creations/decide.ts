import { isDeepStrictEqual } from 'node:util'
import type { ArmedCreation, ArmedDelay, ArmedState } from '#shared/bridge/creation'
import type { FlavorView } from '#shared/bridge/catalog'
import { highestPrice } from '#shared/money/highest-price'
import type { Money } from '#shared/money/money'
import { isOfferOf } from '../catalog/views'

export type ArmedStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'send' }
  | { readonly kind: 'expire' }
  | { readonly kind: 'become'; readonly state: ArmedState }

/** Returns why offers in stock may not be ordered; null if they may. The highest price counts. */
function priceDelay(cap: Money, prices: readonly (Money | null)[]): ArmedDelay | null {
  let highest: Money | null = null
  for (const price of prices) {
    if (price === null) return { why: 'no-price', price, failure: null }
    if (price.currency !== cap.currency) return { why: 'other-currency', price, failure: null }
    if (highest === null || price.millionths > highest.millionths) highest = price
  }
  const isAbove = highest !== null && highest.millionths > cap.millionths
  return isAbove ? { why: 'above-cap', price: highest, failure: null } : null
}

/**
 * Decides the next step of an armed creation. `offers`: flavors of a new reading of its catalog, with prices in the account's
 * currency; null: none was read. Pure.
 */
export function decide(armed: ArmedCreation, offers: readonly FlavorView[] | null, now: number): ArmedStep {
  const { state, cap, expiresAt, order, region } = armed
  if (state.kind !== 'waiting') return { kind: 'none' }
  if (expiresAt <= now) return { kind: 'expire' }
  if (offers === null) return { kind: 'none' }
  const isOffer = isOfferOf({ flavor: order.machine.flavor_id, region })
  const inStock = offers.filter((offer) => offer.inStock === true && isOffer(offer))
  const delay = priceDelay(cap, inStock.map(highestPrice))
  if (inStock.length > 0 && delay === null) return { kind: 'send' }
  return isDeepStrictEqual(state.delay, delay)
    ? { kind: 'none' }
    : { kind: 'become', state: { kind: 'waiting', delay } }
}
