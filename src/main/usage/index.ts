import type { AccountId } from '#shared/bridge/account'
import { pageSizes } from '#shared/page-sizes'
import type { Usage } from '#shared/service/billing'
import type { Filter, Page, PageQuery } from '#shared/service/page'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import { createKeyedMutex } from '../core/mutex'
import { readAll, type Reading } from '../core/read-all-pages'
import { mayRefuseFilter } from '../service/refused-field'
import { createUsageHistory, type UsageHistory } from './history'
import { isRecent } from '../core/elapsed'

/** Usage of an account as the service reported it. Times are epoch seconds. */
export interface UsageReading extends Reading<Usage> {
  /** Time of the request. Each entry is as of `seenAt` or later. */
  readonly asOf: number
  seenAt(id: string): number
  /** Includes ended usage. */
  readonly everything: boolean
  /** Number that changes with each reading of the service. */
  readonly revision: number
}

export interface UsageWanted {
  /** Ended usage is needed too. */
  readonly everything: boolean
  /** Whether active usage is expected. An empty answer then means that the service ignores the filter. */
  expected(): boolean
}

/** Seconds for which readers share a reading: less than their shortest poll interval. */
const sharedFor = 30
const onlyActive: Filter[] = [{ key: 'status', op: 'eq', val: 'active' }]
const newestFirst = { sortField: 'created_time', sortOrder: 'desc' } as const

const isActive = ({ status }: Usage): boolean => status?.toLowerCase() === 'active'

/** Returns active usage; undefined if the service may have refused the filter. Fails as `list` does otherwise. */
const readActive = (list: (page: PageQuery) => Promise<Page<Usage>>): Promise<Reading<Usage> | undefined> =>
  readAll((query) => list({ ...query, filters: onlyActive }), pageSizes.ledger).catch((error: unknown) => {
    if (mayRefuseFilter(failureOf(error, 'billing.usage'))) return undefined
    throw error
  })

interface AccountUsage {
  /** The service does not support the filter: it ignores or refuses it. Remembered for the session. */
  withoutFilter: boolean
  history: UsageHistory
  latest: UsageReading | undefined
  /** Number of invalidations. A reading that began before one may predate the change. */
  expiries: number
}

/**
 * The only reader of usage: active usage if the service supports the filter, else the history, which is read whole
 * now and then and updated at its head in between.
 */
export function createUsage({
  accounts,
  clock,
}: {
  readonly accounts: Pick<Accounts, 'service'>
  readonly clock: Pick<Clock, 'now'>
}) {
  const { now } = clock
  const known = new Map<AccountId, AccountUsage>()
  const exclusively = createKeyedMutex<AccountId>()
  let revision = 0

  function of(account: AccountId): AccountUsage {
    const found = known.get(account) ?? {
      withoutFilter: false,
      history: createUsageHistory(now),
      latest: undefined,
      expiries: 0,
    }
    known.set(account, found)
    return found
  }

  async function ask(account: AccountId, { everything, expected }: UsageWanted): Promise<UsageReading> {
    const usage = of(account)
    const { billing } = accounts.service(account)
    const { history } = usage
    const asOf = now()
    const page = (query: PageQuery) => billing.usage({ ...query, ...newestFirst })
    const isHistory = (reading: Reading<Usage>) => ({
      ...reading,
      asOf,
      seenAt: history.seenAt,
      everything: true,
      revision: (revision += 1),
    })
    const active = usage.withoutFilter ? undefined : await readActive(page)
    if (active) {
      usage.withoutFilter = !active.items.every(isActive)
      if (usage.withoutFilter) return isHistory(history.replace(active, asOf))
      if (!everything && (active.items.length > 0 || !expected()))
        return { ...active, asOf, seenAt: () => asOf, everything: false, revision: (revision += 1) }
      const followed = everything && history.followActive(active, isActive, asOf)
      if (followed) return isHistory(followed)
    } else if (usage.withoutFilter && history.isRecent()) {
      const followed = history.followHead(await page({ limit: pageSizes.resources, offset: 0 }), asOf)
      if (followed) return isHistory(followed)
    }
    const whole = await readAll(page, pageSizes.ledger)
    // The same request succeeded without the filter, so the service refused the filter.
    if (!active) usage.withoutFilter = true
    return isHistory(history.replace(whole, asOf))
  }

  /**
   * Whether the latest reading answers this request too. A reading from the future, after the clock was set back,
   * does not.
   */
  function serves(reading: UsageReading, { everything, expected }: UsageWanted): boolean {
    if (!isRecent(reading.asOf, sharedFor, now())) return false
    return reading.everything || (!everything && (reading.items.length > 0 || !expected()))
  }

  return defineModule({
    handlers: {},
    events: {},
    /** Returns the latest reading if it is recent, else a new one. Fails as the client does. */
    read: (account: AccountId, wanted: UsageWanted): Promise<UsageReading> =>
      exclusively(account, async () => {
        const usage = of(account)
        const { latest } = usage
        if (latest && serves(latest, wanted)) return latest
        const { expiries } = usage
        const reading = await ask(account, wanted)
        if (usage.expiries === expiries) usage.latest = reading
        else usage.history.expire()
        return reading
      }),
    /** Forces the next reading to ask the service for everything, after a change or at the user's request. */
    expire(account: AccountId): void {
      const usage = of(account)
      usage.expiries += 1
      usage.latest = undefined
      usage.history.expire()
    },
    forgetAccount: (account: AccountId): void => void known.delete(account),
  })
}
export type AccountsUsage = ReturnType<typeof createUsage>
