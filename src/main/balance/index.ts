import type { AccountId } from '#shared/bridge/account'
import type { balanceCalls, BalanceView } from '#shared/bridge/balance'
import type { HandlersOf } from '#shared/bridge/index'
import { type Failure, failureOf } from '#shared/failure'
import { moneyFromNumber } from '#shared/money/money'
import type { Accounts } from '../accounts/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import { createPoller, type Polled } from '../core/poller'

export interface BalancesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'using'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  online(): boolean
}

interface PolledBalance extends Polled {
  view(): BalanceView | null
}

/** Seconds between two readings of the account looked at in an open window, and of the others. */
const pollInterval = { focused: 120, background: 600 }

/** What each account has left to spend, where its service tells it. */
export function createBalances({ accounts, capabilities, ...parts }: BalancesDeps) {
  const listeners = new Set<(account: AccountId, balance: BalanceView | null) => void>()

  function balanceOf(account: AccountId): PolledBalance {
    let view: BalanceView | null = null
    let failure: Failure | null = null
    const show = (next: BalanceView | null): void => {
      view = next
      listeners.forEach((listener) => listener(account, view))
    }
    return {
      async refresh() {
        try {
          const { available } = await capabilities.using(account, 'balance', () =>
            accounts.service(account).billing.balance(),
          )
          failure = null
          show({
            available: Object.entries(available).flatMap(
              ([currency, amount]) => moneyFromNumber(amount, currency) ?? [],
            ),
            asOf: parts.now(),
          })
        } catch (error) {
          failure = failureOf(error, 'read-balance')
          if (failure.kind === 'not-offered-by-service' && view) show(null)
        }
      },
      failure: () => failure,
      moving: () => false,
      clear: () => show(null),
      view: () => view,
    }
  }
  const poller = createPoller<PolledBalance>({
    accounts,
    ...parts,
    clock: parts,
    pollInterval,
    open: balanceOf,
  })
  const read = (account: AccountId): BalanceView | null => poller.find(account)?.view() ?? null

  const handlers: HandlersOf<typeof balanceCalls> = { 'balance.read': ({ account }) => read(account) }

  return {
    handlers,
    read,
    onChange(listener: (account: AccountId, balance: BalanceView | null) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  }
}
export type Balances = ReturnType<typeof createBalances>
