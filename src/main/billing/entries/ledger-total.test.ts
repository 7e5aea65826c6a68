import { describe, expect, it, onTestFinished } from 'vitest'
import type { BillingQuery, StatementFilter } from '#shared/bridge/billing'
import { must } from '../../../../test/fixtures/service-client'
import { openSpending } from '../../../../test/fixtures/spending-harness'
import { openStore } from '../../../../test/fixtures/store'
import type { Accounts } from '../../accounts/index'
import type { Service } from '../../service/index'
import { createLedger, type Ledger } from '../ledger/index'
import { createBillingEntries } from './index'
import { ledgerTotal } from './ledger-total'

const job = 'job-00000001'
const statements = (filter: StatementFilter): BillingQuery => ({
  kind: 'statements',
  filter,
  sort: 'startedAt',
  descending: true,
})

/** Returns two totals of the same table: from the ledger, and from the pages of the service. */
async function open({
  odd = () => false,
  unpaid = false,
}: { odd?: (id: string) => boolean; unpaid?: boolean } = {}) {
  const { store, database } = await openStore()
  const opened: { ledger?: Ledger } = {}
  const oddly = (all: Accounts): Accounts => ({
    ...all,
    service: (id) => {
      const service = all.service(id)
      const statements: Service['billing']['statements'] = async (query, signal) => {
        const { items, total } = await service.billing.statements(query, signal)
        const unreadable = items.flatMap((item, index) =>
          odd(item.id) ? { index, id: item.id, text: '' } : [],
        )
        const readable = items.filter((item) => !odd(item.id))
        const listed = unpaid ? readable.map((item) => ({ ...item, status: 'failed' })) : readable
        return { items: listed, total, unreadable }
      }
      return { ...service, billing: { ...service.billing, statements } }
    },
  })
  const { account, accounts, books } = await openSpending(({ harness: at, clock, report }) => {
    const ledger = createLedger({
      accounts: oddly(at.accounts),
      store,
      timeZone: () => 'UTC',
      clock,
      online: () => true,
      report,
    })
    opened.ledger = ledger
    onTestFinished(ledger.close)
    return { ledger, store }
  })
  const ledger = must(opened.ledger)
  const currencies = { of: () => ({ currency: 'USD', assumed: true }) }
  const total = ledgerTotal({ store, ledger, currencies })
  const walked = createBillingEntries({
    accounts: oddly(accounts),
    currencies,
    remembered: () => [],
    ledgerTotal: () => undefined,
    now: () => 0,
  })
  const walk = async (query: BillingQuery) =>
    must(await walked.handlers['billing.total']({ account, query, job, atMost: null }))
  return { database, account, ledger, books, total: (query: BillingQuery) => total(account, query), walk }
}

describe('a total out of the ledger', () => {
  it('is not given before all statements are known, nor for usage', async () => {
    const { total, ledger, account } = await open()
    await ledger.syncNow(account)
    expect(total(statements({}))).toBeDefined()
    expect(total({ kind: 'usage', filter: {}, sort: 'total', descending: true })).toBeUndefined()
  })

  it('is what the pages of the service come to, however they are filtered', async () => {
    const { total, walk, ledger, account, books } = await open()
    await ledger.syncNow(account)
    const kept = await books()
    const resource = must(kept.resources.find(({ charged }) => charged > 0)).resource_id
    const from = kept.now - 20 * 86_400
    for (const filter of [
      {},
      { from, to: from + 5 * 86_400 },
      { resource },
      { resourceType: 'volume', status: 'paid' },
      { type: 'lease_fee', from },
      { status: 'no such status' },
    ]) {
      const { source: _, ...sum } = must(total(statements(filter)))
      const { source: __, ...pages } = await walk(statements(filter))
      expect(sum).toEqual(pages)
    }
    expect(must(total(statements({}))).amounts[0]?.money.millionths).toBe(kept.totals.charged)
  })

  it('a statement whose payment failed is an entry without an amount, in both totals', async () => {
    const { total, walk, ledger, account, database } = await open({ unpaid: true })
    await ledger.syncNow(account)
    const { source: _, ...sum } = must(total(statements({})))
    const { source: __, ...pages } = await walk(statements({}))
    expect(sum).toEqual(pages)
    expect(sum.amounts.map(({ money }) => money.millionths)).toEqual([0])
    expect(database.prepare('SELECT count(*) FROM statement WHERE millionths > 0').arrays()[0]?.[0]).toBe(
      sum.entries,
    )
  })

  it('counts those that cannot be read, and leaves it to the service which of them pass a filter', async () => {
    const { total, walk, ledger, account } = await open({ odd: (id) => /[05]$/.test(id) })
    await ledger.syncNow(account)
    const { source: _, ...sum } = must(total(statements({})))
    const { source: __, ...pages } = await walk(statements({}))
    expect(sum).toEqual(pages)
    expect(sum.unreadable).toBeGreaterThan(0)
    expect(total(statements({ type: 'lease_fee' }))).toBeUndefined()
  })

  it('is there also where no whole number of the store holds it', async () => {
    const { total, ledger, account, database } = await open()
    await ledger.syncNow(account)
    const insert = database.prepare(
      `INSERT INTO statement SELECT account, ?, resource_id, resource_type, started_time, due_time, type, status,
         9007199254740991, currency, seen_sweep FROM statement WHERE account = ? LIMIT 1`,
    )
    database.transaction(() => {
      for (let count = 0; count < 1_100; count += 1) insert.run(`huge-${String(count)}`, account)
    })
    expect(must(total(statements({}))).amounts[0]?.money.millionths).toBeGreaterThan(9e18)
  })
})
