import type { AccountId } from '#shared/bridge/account'
import type { catalogCalls, catalogEvents } from '#shared/bridge/catalog'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { pricedIn } from '#shared/money/money'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Catalog } from './index'
import type { DecidedCurrency } from '../billing/account-currency'

export interface PricesDeps {
  readonly catalog: Pick<Catalog, 'flavors'>
  /** As known now. */
  currencyOf(account: AccountId): DecidedCurrency
  /** What is known of the currency of an account may be something else now. */
  onChange(listener: (account: AccountId) => void): void
}

/** Flavors with their prices in the currency of the account. */
export function createPrices({ catalog, currencyOf, onChange }: PricesDeps) {
  /** What the window has the prices of each account in. */
  const shown = new Map<AccountId, DecidedCurrency>()
  /** Questions on their way, of accounts that were not removed since. */
  const asked = new Set<{ readonly account: AccountId }>()
  const changes = createEmitter<EventPayload<'catalog.currencyChanged'>>()

  onChange((account) => {
    const { currency, assumed } = currencyOf(account)
    const before = shown.get(account)
    if (!before || (before.currency === currency && before.assumed === assumed)) return
    shown.set(account, { currency, assumed })
    changes.emit({ account, currency, currencyAssumed: assumed })
  })

  const handlers: HandlersOf<Pick<typeof catalogCalls, 'catalog.flavors'>> = {
    'catalog.flavors': async (query) => {
      const own = { account: query.account }
      asked.add(own)
      try {
        const { items, ...read } = await catalog.flavors(query)
        const price = currencyOf(query.account)
        if (asked.has(own)) shown.set(query.account, price)
        return { ...read, items: pricedIn(items, price.currency), currencyAssumed: price.assumed }
      } finally {
        asked.delete(own)
      }
    },
  }
  const events: EventsOf<Pick<typeof catalogEvents, 'catalog.currencyChanged'>> = {
    'catalog.currencyChanged': changes.on,
  }
  return defineModule({
    handlers,
    events,
    forgetAccount(account: AccountId): void {
      shown.delete(account)
      for (const one of asked) if (one.account === account) asked.delete(one)
    },
  })
}
