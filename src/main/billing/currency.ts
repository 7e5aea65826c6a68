import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { AccountCurrency } from '#shared/bridge/cost'
import { currencyCode } from '#shared/money/money'
import { createEmitter } from '#shared/emitter'
import type { SettingsStore } from '../store/settings'
import { accountCurrency, type CurrencySources, type DecidedCurrency } from './account-currency'

/** A currency; `assumed` where no answer reported it. */
export interface EntryCurrency {
  readonly currency: string
  readonly assumed: boolean
}

const Chosen = z.record(z.string(), z.string())

/** The currency that an answer carries, if any: the specification names no field for it, `payment_currency` but for volumes. */
export function reportedCurrency(entry: Readonly<Record<string, unknown>>): string | null {
  return currencyCode(entry.currency) ?? currencyCode(entry.payment_currency)
}

/**
 * Creates the only place that decides currencies. The currency of an amount is the one that its answer carries, else
 * the one that was sent when the resource was created here (`sent`), else that of the account, which is an assumption.
 * `named`: currencies that the balance and the amounts of an account carry.
 */
export function createCurrencies(
  settings: Pick<SettingsStore, 'section'>,
  sent: (account: AccountId, resource: string) => string | null,
  named: (account: AccountId) => Pick<CurrencySources, 'balance' | 'reported'>,
) {
  const section = settings.section('currencies', Chosen)
  const changes = createEmitter<AccountId>()
  const chosen = (account: AccountId): string | undefined =>
    Object.hasOwn(section.read(), account) ? section.read()[account] : undefined
  const without = (all: Readonly<Record<string, string>>, account: AccountId) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => id !== account))
  /** Returns the currency of amounts and prices of the account that name none. */
  const decide = (account: AccountId): DecidedCurrency =>
    accountCurrency({ chosen: chosen(account) ?? null, ...named(account) })
  const setting = (account: AccountId): AccountCurrency => ({
    currency: decide(account).currency,
    chosen: chosen(account) !== undefined,
  })

  return {
    decide,
    setting,
    of(account: AccountId, resource: string, reported: string | null): EntryCurrency {
      const known = currencyCode(reported) ?? currencyCode(sent(account, resource))
      return known === null
        ? { currency: decide(account).currency, assumed: true }
        : { currency: known, assumed: false }
    },
    /** Null: back to the default. Fails with local-fault. */
    async choose(account: AccountId, currency: string | null): Promise<AccountCurrency> {
      const written = section.change((all) =>
        currency === null ? without(all, account) : { ...all, [account]: currency },
      )
      changes.emit(account)
      await written
      return setting(account)
    },
    /** The balance of the account changed, and with it perhaps its currency. */
    sourcesChanged: changes.emit,
    onChange: changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => without(all, account))
    },
  }
}
export type Currencies = ReturnType<typeof createCurrencies>
