import type { AccountId } from '#shared/bridge/account'
import { type Failure, failureOf } from '#shared/failure'
import type { Usage } from '#shared/service/billing'
import type { Filter } from '#shared/service/page'
import { pageSizes } from '#shared/page-sizes'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { singleFlight } from '../core/single-flight'
import { createPoller, type Polled } from '../core/poller'
import { readAll, type Reading } from '../core/read-all-pages'
import { usageRecord, type UsageRecord } from './costs/usage-record'

/** Usage as the service reported it at one moment (epoch seconds). */
export interface LiveUsage {
  readonly records: readonly UsageRecord[]
  readonly asOf: number
  /** Nothing that is active is missing. */
  readonly complete: boolean
}

export interface LiveUsageDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange' | 'service'>
  /** Asks for what has ended too, because nothing else remembers it. */
  everything(): boolean
  /** Whether something of the account is thought to be active. */
  expected(account: AccountId): boolean
  readonly clock: Clock
  online(): boolean
  changed(account: AccountId): void
}

/** Seconds between readings. Between them what is active is taken to run on. */
const pollInterval = { focused: 60, background: 300 }
const onlyActive: Filter[] = [{ key: 'status', op: 'eq', val: 'active' }]

interface AccountUsage extends Polled {
  latest(): LiveUsage | null
}

/** What is charged for now in all accounts, asked of the service again and again. */
export function createLiveUsage(deps: LiveUsageDeps) {
  const { accounts, everything, expected, clock, changed } = deps

  /** A service that knows the filter by another name, or not at all, is asked for everything. */
  async function readUsage(account: AccountId): Promise<Reading<Usage>> {
    const { billing } = accounts.service(account)
    if (!everything()) {
      const active = await readAll(
        (page) => billing.usage({ ...page, filters: onlyActive }),
        pageSizes.resources,
      )
      if (active.items.length > 0 || !expected(account)) return active
    }
    return readAll((page) => billing.usage(page), pageSizes.resources)
  }

  function accountUsage(account: AccountId): AccountUsage {
    let latest: LiveUsage | null = null
    let failure: Failure | null = null
    const read = async (): Promise<void> => {
      const asOf = clock.now()
      try {
        const { items, total } = await readUsage(account)
        latest = {
          // A service may not know the filter.
          records: items.map((entry) => usageRecord(entry, asOf)),
          asOf,
          complete: total === null || items.length >= total,
        }
        failure = null
      } catch (error) {
        failure = failureOf(error, 'billing.read')
      }
      changed(account)
    }
    return {
      latest: () => latest,
      refresh: singleFlight(read),
      failure: () => failure,
      moving: () => false,
      clear() {
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
    /** Reads at once. Fails with invalid-input (account). */
    read: poller.read,
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close: poller.close,
  }
}
