import type { AccountId } from '#shared/bridge/account'
import type {
  Amount,
  billingCalls,
  billingEvents,
  BillingQuery,
  BillingTotal,
  StatementQuery,
  StatementView,
  UsageQuery,
  UsageView,
} from '#shared/bridge/billing'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import type { UnreadableRecords } from '#shared/bridge/listing'
import { chargedAmount, type Statement, type Usage } from '#shared/service/billing'
import type { Clock } from '../../core/clock'
import type { Accounts } from '../../accounts/index'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../../core/module'
import type { Currencies } from '../currency'
import { createJobs } from './jobs'
import { pageQueryOf } from './query'
import { type ListPage, readRange } from '../../core/read-range'
import { unreadableView } from '../../core/unreadable'
import { createResourceNames, type ResourceNamesDeps } from './resource-names'
import { sweep, type SweepResult, type SweepOptions } from './sweep'
import { createTotal } from './total'
import { type EntryContext, statementView, usageView } from './views'

export interface BillingEntriesDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly currencies: Pick<Currencies, 'of'>
  /** Returns known resources, including those that the service no longer lists. */
  remembered: ResourceNamesDeps['remembered']
  /** Returns the total of a table from the ledger; undefined if the ledger is incomplete. */
  ledgerTotal(account: AccountId, query: BillingQuery): BillingTotal | undefined
  readonly now: Clock['now']
}

/** Unreadable entries count as entries and are in no sum. */
const withUnreadable = (
  sum: ReturnType<ReturnType<typeof createTotal>['sum']>,
  { unreadable = 0 }: SweepResult,
) => ({
  ...sum,
  entries: sum.entries + unreadable,
  unreadable: sum.unreadable + unreadable,
})

type Views<Item, View> = (items: readonly Item[]) => Promise<View[]>

async function* viewsOf<Item, View>(
  pages: AsyncGenerator<readonly Item[], SweepResult>,
  views: Views<Item, View>,
): AsyncGenerator<View[], SweepResult> {
  for (;;) {
    const next = await pages.next()
    if (next.done === true) return next.value
    yield await views(next.value)
  }
}

/** Statements and usage as the service lists them: by page, all of them, and their totals. */
export function createBillingEntries(deps: BillingEntriesDeps) {
  const { accounts, currencies, ledgerTotal, now } = deps
  const progressEvents = createEmitter<EventPayload<'billing.progress'>>()
  const reportProgress = progressEvents.emit
  const jobs = createJobs()
  const statements = (account: AccountId): ListPage<Statement> => accounts.service(account).billing.statements
  const usage = (account: AccountId): ListPage<Usage> => accounts.service(account).billing.usage
  const names = createResourceNames({ usage, remembered: deps.remembered, now })
  const context = (
    account: AccountId,
    known: Partial<Omit<EntryContext, 'currencyOf'>> = {},
  ): EntryContext => ({
    nameOf: () => null,
    hasEnded: () => null,
    isBareMetal: () => false,
    ...known,
    currencyOf: (resource, reported) => currencies.of(account, resource, reported),
  })

  const statementViews =
    (account: AccountId): Views<Statement, StatementView> =>
    async (items) => {
      const ids = [...new Set(items.map(({ resource_id }) => resource_id))]
      const known = context(account, await names.knowledge(account, ids))
      return items.map((item) => statementView(item, known))
    }
  const usageViews =
    (account: AccountId): Views<Usage, UsageView> =>
    async (items) => {
      names.learn(account, items)
      const known = context(account, names.remembered(account))
      return items.map((item) => usageView(item, known))
    }

  /** Yields all matching entries by page. Fails as the client does, and with cancelled. */
  const everyStatement = (account: AccountId, query: StatementQuery, options: SweepOptions) =>
    viewsOf(sweep(statements(account), pageQueryOf(query), options), statementViews(account))
  const everyUsage = (account: AccountId, query: UsageQuery, options: SweepOptions) =>
    viewsOf(sweep(usage(account), pageQueryOf(query), options), usageViews(account))

  /** Yields the amounts of all matching entries. Needs no names. */
  function amountsOf(account: AccountId, query: BillingQuery, options: SweepOptions) {
    const unnamed = context(account)
    return query.kind === 'statements'
      ? viewsOf(sweep(statements(account), pageQueryOf(query), options), async (items) =>
          items.map((item) => statementView({ ...item, amount: chargedAmount(item) }, unnamed).amount),
        )
      : viewsOf(sweep(usage(account), pageQueryOf(query), options), async (items) =>
          items.map((item) => usageView(item, unnamed).total),
        )
  }

  async function addUp(
    pages: AsyncGenerator<(Amount | null)[], SweepResult>,
    isTooMany: () => boolean,
  ): Promise<BillingTotal | null> {
    const total = createTotal()
    for (;;) {
      const next = await pages.next()
      if (isTooMany()) return null
      if (next.done === true)
        return {
          ...withUnreadable(total.sum(), next.value),
          complete: next.value.complete,
          source: { kind: 'service' },
        }
      next.value.forEach((amount) => total.add(amount))
    }
  }

  async function pageOf<Item extends { readonly id: string }, View>(
    list: ListPage<Item>,
    { query, offset, limit }: { query: BillingQuery; offset: number; limit: number },
    views: Views<Item, View>,
  ): Promise<{ items: View[]; total: number | null; unreadable?: UnreadableRecords }> {
    const page = await readRange(list, { ...pageQueryOf(query), offset, limit })
    const unreadable = unreadableView(page.unreadable ?? [])
    return {
      items: await views(page.items),
      total: page.total ?? null,
      ...(unreadable && { unreadable }),
    }
  }

  const handlers: HandlersOf<typeof billingCalls> = {
    'billing.statements': ({ account, ...asked }) =>
      pageOf(statements(account), asked, statementViews(account)),
    'billing.usage': ({ account, ...asked }) => pageOf(usage(account), asked, usageViews(account)),
    'billing.total': ({ account, query, job, atMost }) =>
      jobs.run(job, async (signal) => {
        const known = ledgerTotal(account, query)
        if (known) return known
        let many = false
        const onProgress = (done: number, total: number | null): void => {
          many = atMost !== null && Math.max(done, total ?? 0) > atMost
          if (!many) reportProgress({ account, job, done, total })
        }
        return addUp(amountsOf(account, query, { signal, onProgress }), () => many)
      }),
    'billing.resources': async ({ account }) => [...(await names.all(account))],
    'billing.cancel': ({ job }) => jobs.cancel(job),
  }

  const events: EventsOf<typeof billingEvents> = { 'billing.progress': progressEvents.on }

  return defineModule({
    handlers,
    events,
    jobs,
    everyStatement,
    everyUsage,
    /** Emits billing.progress, also for an export. */
    reportProgress,
    forgetAccount: names.forgetAccount,
    close: jobs.close,
  })
}
export type BillingEntries = ReturnType<typeof createBillingEntries>
