import type { AccountId } from '#shared/bridge/account'
import type { catalogCalls, catalogEvents, FlavorView } from '#shared/bridge/catalog'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import { pricedIn } from '#shared/money/money'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Catalog } from './index'
import type { DecidedCurrency } from '../billing/account-currency'

export interface PricesDeps {
  readonly catalog: Pick<Catalog, 'flavors'>
  currencyOf(account: AccountId): DecidedCurrency
  onChange(listener: (account: AccountId) => void): void
}

/** Adds prices in the currency of the account to flavors. */
export function createPrices({ catalog, currencyOf, onChange }: PricesDeps) {
  /** Currency of the prices in the window, per account. */
  const shownCurrencies = new Map<AccountId, DecidedCurrency>()
  /** Running requests of accounts that were not removed. */
  const running = new Set<{ readonly account: AccountId }>()
  const changes = createEmitter<EventPayload<'catalog.currencyChanged'>>()

  onChange((account) => {
    const { currency, assumed } = currencyOf(account)
    const previous = shownCurrencies.get(account)
    if (!previous || (previous.currency === currency && previous.assumed === assumed)) return
    shownCurrencies.set(account, { currency, assumed })
    changes.emit({ account, currency, currencyAssumed: assumed })
  })

  /** Returns the flavors with prices in the currency of the account. Fails as the client does. */
  async function flavors(query: CallInput<'catalog.flavors'>) {
    const request = { account: query.account }
    running.add(request)
    try {
      const { items, ...read } = await catalog.flavors(query)
      const price = currencyOf(query.account)
      if (running.has(request)) shownCurrencies.set(query.account, price)
      return { ...read, items: pricedIn(items, price.currency), currencyAssumed: price.assumed }
    } finally {
      running.delete(request)
    }
  }

  const handlers: HandlersOf<Pick<typeof catalogCalls, 'catalog.flavors'>> = { 'catalog.flavors': flavors }
  const events: EventsOf<Pick<typeof catalogEvents, 'catalog.currencyChanged'>> = {
    'catalog.currencyChanged': changes.on,
  }
  return defineModule({
    handlers,
    events,
    flavors,
    /** Returns flavors with prices in the currency of the account. */
    priced: (account: AccountId, items: readonly FlavorView[]): readonly FlavorView[] =>
      pricedIn(items, currencyOf(account).currency),
    forgetAccount(account: AccountId): void {
      shownCurrencies.delete(account)
      for (const request of running) if (request.account === account) running.delete(request)
    },
  })
}
