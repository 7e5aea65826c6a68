import type { AccountId } from '#shared/bridge/account'
import type { balanceCalls, balanceEvents, BalanceView } from '#shared/bridge/balance'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { type Failure, FailureError, isAbsent } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { createPoller, type Polled } from '../core/poller'
import { sessionReadings } from '../core/single-flight'
import { unreadableView } from '../core/unreadable'

export interface BalancesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  readonly capabilities: Pick<CapabilitiesOfAccounts, 'using'>
  readonly clock: Clock
  online(): boolean
}

const noneReadable: Failure = {
  kind: 'unexpected-answer',
  expected: 'a balance that can be read',
  received: 'currencies or amounts that cannot be read',
}

interface PolledBalance extends Polled {
  view(): BalanceView | null
}

/** Seconds between two readings: of the account that an open window shows, and of other accounts. */
const pollInterval = { focused: 120, background: 600 }

/** Balances of all accounts whose service reports one. */
export function createBalances({ accounts, capabilities, clock, online }: BalancesDeps) {
  const changes = createEmitter<EventPayload<'balance.changed'>>()

  function balanceOf(account: AccountId): PolledBalance {
    let view: BalanceView | null = null
    let failure: Failure | null = null
    const show = (next: BalanceView | null): void => {
      view = next
      changes.emit({ account, balance: view })
    }
    const { refresh, end } = sessionReadings(async (isCurrent) => {
      try {
        const { items, unreadable: lost = [] } = await capabilities.using(account, 'balance', () =>
          accounts.service(account).billing.balance(),
        )
        if (!isCurrent()) return
        const unreadable = unreadableView(lost)
        // Known balances are worth more than an answer without any readable one.
        if (view && items.length === 0 && unreadable) throw new FailureError(noneReadable)
        failure = null
        show({ available: [...items], asOf: clock.now(), ...(unreadable && { unreadable }) })
      } catch (error) {
        if (!isCurrent()) return
        failure = failureOf(error, 'balance.read')
        if (isAbsent(failure) && view) show(null)
      }
    })
    return {
      refresh,
      failure: () => failure,
      moving: () => false,
      clear() {
        end()
        failure = null
        show(null)
      },
      view: () => view,
    }
  }
  const poller = createPoller<PolledBalance>({
    accounts,
    clock,
    online,
    pollInterval,
    open: balanceOf,
  })
  const read = (account: AccountId): BalanceView | null => poller.find(account)?.view() ?? null

  const handlers: HandlersOf<typeof balanceCalls> = { 'balance.read': ({ account }) => read(account) }

  const events: EventsOf<typeof balanceEvents> = { 'balance.changed': changes.on }

  return defineModule({
    handlers,
    events,
    read,
    onChange: changes.on,
    forgetAccount: 'follows-accounts',
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  })
}
export type Balances = ReturnType<typeof createBalances>
