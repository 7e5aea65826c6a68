import { describe, expect, it, onTestFinished } from 'vitest'
import { control } from '../../../test/fixtures/account-harness'
import { must } from '../../../test/fixtures/service-client'
import { openSpending } from '../../../test/fixtures/spending-harness'
import { openStore } from '../../../test/fixtures/store'
import { type CostBook, costBook } from './costs/cost-book'
import { bookLifetime } from './spending-views'
import { createLedger, type Ledger } from './ledger/index'

/** Spending of an account with a ledger, and all books that it built. */
async function open() {
  const { store } = await openStore()
  const built: CostBook[] = []
  const opened: { ledger?: Ledger } = {}
  const spending = await openSpending(({ harness, clock, report }) => {
    const ledger = createLedger({
      accounts: harness.accounts,
      store,
      timeZone: () => 'UTC',
      clock,
      online: () => true,
      report,
    })
    opened.ledger = ledger
    onTestFinished(() => ledger.close())
    return {
      ledger,
      store,
      buildBook: (sources) => {
        const book = costBook(sources)
        built.push(book)
        return book
      },
    }
  })
  const { account } = spending
  const { handlers } = spending.spending
  const period = { from: '2020-01-01', until: '2020-01-02' }
  /** Runs the queries of the billing page. */
  const askAll = async (): Promise<void> => {
    await Promise.all([
      handlers['cost.spending']({ account }),
      handlers['cost.days']({ account, ...period, unit: 'day', by: 'type', limit: 5 }),
      handlers['cost.resources']({ account, period: null, only: null, limit: null }),
      handlers['cost.gpus']({ account, period }),
      handlers['cost.detachedVolumes']({ account }),
      handlers['cost.disagreements']({ account }),
    ])
  }
  /** Returns the number of books that the queries of a page build. */
  const count = async (): Promise<number> => {
    built.length = 0
    await askAll()
    return built.length
  }
  const ledger = must(opened.ledger)
  await ledger.syncNow(account)
  await spending.spending.refresh(account)
  await askAll()
  return { ...spending, ledger, built, count }
}

describe('the cost book', () => {
  it('is built once for all questions of a page, and not again while nothing changes', async () => {
    const { count, pass, currencies, account } = await open()
    expect(await count()).toBe(0)
    await currencies.choose(account, 'EUR')
    expect(await count()).toBe(1)
    await pass(bookLifetime - 1)
    expect(await count()).toBe(0)
    await pass(1)
    expect(await count()).toBe(1)
  })

  it('is built anew when the ledger has new statements', async () => {
    const { count, pass, ledger, account, built } = await open()
    await pass(3 * 3_600)
    await count()
    const chargesOfBook = () => must(built.at(-1)).charges.days(-Infinity, Infinity)
    const before = chargesOfBook()
    expect(await count()).toBe(0)
    await pass(1)
    await ledger.syncNow(account)
    expect(await count()).toBe(1)
    expect(chargesOfBook()).not.toEqual(before)
  })

  it('is built anew when usage was read', async () => {
    const { count, sandbox, spending, account, books, built, pass } = await open()
    const active = (await books()).resources.find(({ terminated_time }) => terminated_time === null)
    await control(sandbox, 'DELETE', `/resources/${must(active).resource_id}`)
    await pass(1)
    expect(await count()).toBe(0)
    await spending.refresh(account)
    expect(await count()).toBe(1)
    const ended = must(built.at(-1)).resources.find(({ id }) => id === must(active).resource_id)
    expect(ended?.state).toBe('terminated')
  })

  it('is built anew when a resource was seen for the first time, or looks different', async () => {
    const { count, history, account } = await open()
    const seen = {
      id: 'one',
      kind: 'machine' as const,
      name: 'one',
      flavor: null,
      gpu: 'H100',
      gpuCount: 1,
      region: null,
      currency: null,
    }
    history.see(account, [seen])
    expect(await count()).toBe(1)
    history.see(account, [seen])
    expect(await count()).toBe(0)
    history.see(account, [{ ...seen, region: 'Oslo' }])
    expect(await count()).toBe(1)
  })

  it('is built anew when the account is left, since nothing is known to run on', async () => {
    const { count, accounts, account, built, pass } = await open()
    await accounts.handlers['accounts.signOut']({ account })
    await count()
    await pass(3_600)
    expect(await count()).toBe(1)
    expect(must(built.at(-1)).running).toEqual([])
  })

  it('is built anew when the clock was set back', async () => {
    const { count, pass } = await open()
    await pass(-3_600)
    expect(await count()).toBe(1)
  })
})
