import type { AccountId } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { sessionReadings } from '../core/single-flight'
import { createPoller, type Polled } from '../core/poller'
import type { AccountsUsage } from '../usage/index'
import { usageRecord, type UsageRecord } from './costs/usage-record'

/** Usage as the service reported it at one moment (epoch seconds). */
export interface LiveUsage {
  readonly records: readonly UsageRecord[]
  readonly asOf: number
  /** Contains all active usage. */
  readonly complete: boolean
}

export interface LiveUsageDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly usage: Pick<AccountsUsage, 'read' | 'expire'>
  /** Whether to include ended usage, because nothing else stores it. */
  everything(): boolean
  /** Whether the account probably has active usage. */
  expected(account: AccountId): boolean
  readonly clock: Clock
  online(): boolean
  changed(account: AccountId): void
}

/** Seconds between two readings. Active usage is assumed to continue in between. */
const pollInterval = { focused: 60, background: 300 }

const noneReadable: Failure = {
  kind: 'unexpected-answer',
  expected: 'usage that can be read',
  received: 'records that are missing or cannot be read',
}

interface AccountUsage extends Polled {
  latest(): LiveUsage | null
}

/** Active usage of all accounts, polled from the service. */
export function createLiveUsage(deps: LiveUsageDeps) {
  const { usage, everything, expected, changed } = deps

  function accountUsage(account: AccountId): AccountUsage {
    let latest: LiveUsage | null = null
    let failure: Failure | null = null
    const { refresh, end } = sessionReadings(async (isCurrent) => {
      try {
        const reading = await usage.read(account, {
          everything: everything(),
          expected: () => expected(account),
        })
        if (!isCurrent()) return
        const { items, unreadable, asOf, seenAt } = reading
        const complete = reading.complete && unreadable.length === 0
        // Known usage is worth more than an answer without any readable entry.
        if (latest && items.length === 0 && !complete) throw new FailureError(noneReadable)
        latest = {
          records: items.map((entry) => usageRecord(entry, seenAt(entry.id))),
          asOf,
          // Any unreadable record may be active usage.
          complete,
        }
        failure = null
      } catch (error) {
        if (!isCurrent()) return
        failure = failureOf(error, 'billing.read')
      }
      changed(account)
    })
    return {
      latest: () => latest,
      refresh,
      failure: () => failure,
      moving: () => false,
      clear() {
        end()
        latest = null
        failure = null
        changed(account)
      },
    }
  }

  const poller = createPoller<AccountUsage>({ ...deps, pollInterval, open: accountUsage })
  return {
    latest: (account: AccountId): LiveUsage | null => poller.find(account)?.latest() ?? null,
    failure: (account: AccountId): Failure | null => poller.find(account)?.failure() ?? null,
    /** Reads immediately. Fails with invalid-input (account). */
    read(account: AccountId): Promise<void> {
      usage.expire(account)
      return poller.read(account)
    },
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  }
}
