import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { AccountCurrency } from '#shared/bridge/cost'
import { currencyCode } from '#shared/money/money'
import { createEmitter } from '#shared/emitter'
import type { SettingsStore } from '../store/settings'
import { accountCurrency, type CurrencySources, type DecidedCurrency } from './account-currency'

/** Currency of an entry. `assumed`: no answer reported it. */
export interface EntryCurrency {
  readonly currency: string
  readonly assumed: boolean
}

const Chosen = z.record(z.string(), z.string())

/**
 * Returns the currency that an answer contains, if any. The specification has no field for it, except
 * `payment_currency` of volumes.
 */
export function reportedCurrency(entry: Readonly<Record<string, unknown>>): string | null {
  return currencyCode(entry.currency) ?? currencyCode(entry.payment_currency)
}

/**
 * Creates the only place that decides currencies. The currency of an amount is the reported one; else the currency
 * that was sent when the resource was created here (`sent`); else that of the account, which is an assumption.
 * `named` returns the currencies of an account's balance and amounts.
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
  /** Returns the currency of the account's amounts and prices that name none. */
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
    /** Chooses a currency for the account; null: the default. Fails with local-fault. */
    async choose(account: AccountId, currency: string | null): Promise<AccountCurrency> {
      const written = section.change((all) =>
        currency === null ? without(all, account) : { ...all, [account]: currency },
      )
      changes.emit(account)
      await written
      return setting(account)
    },
    /** Reports a change of the account's balance, which may change its currency. */
    sourcesChanged: changes.emit,
    onChange: changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => without(all, account))
    },
  }
}
export type Currencies = ReturnType<typeof createCurrencies>
