import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { control } from '../../../test/fixtures/account-harness'
import { calendarIn } from '#shared/money/calendar'
import { must } from '../../../test/fixtures/service-client'
import { openStore } from '../../../test/fixtures/store'
import { openSpending } from '../../../test/fixtures/spending-harness'
import type { Accounts } from '../accounts/index'
import type { Service } from '../service/index'
import { createLedger, type Ledger } from './ledger/index'

/**
 * Spending of an account with statements and usage in a real store. `understands`: the service supports the filter;
 * otherwise it finds nothing.
 */
async function open({ understands = true } = {}) {
  const { store } = await openStore()
  const opened: { ledger?: Ledger } = {}
  const zone = { name: 'UTC' }
  const timeZone = () => zone.name
  const filters: string[] = []
  const odd = (accounts: Accounts): Accounts => ({
    ...accounts,
    service: (id) => {
      const service = accounts.service(id)
      const usage: Service['billing']['usage'] = (page, signal) => {
        const [filter] = page.filters ?? []
        filters.push(filter ? String(filter.val) : 'everything')
        return filter && !understands
          ? Promise.resolve({ items: [], total: 0 })
          : service.billing.usage(page, signal)
      }
      return { ...service, billing: { ...service.billing, usage } }
    },
  })
  const opening = await openSpending(({ harness, clock, report }) => {
    const ledger = createLedger({
      accounts: harness.accounts,
      store,
      timeZone,
      clock,
      online: () => true,
      report,
    })
    opened.ledger = ledger
    onTestFinished(ledger.close)
    return { ledger, store, timeZone, accounts: odd(harness.accounts) }
  })
  const ledger = must(opened.ledger)
  const { account, spending } = opening
  /** Reads new statements and usage. */
  const sync = async () => {
    await ledger.syncNow(account)
    await spending.refresh(account)
    // A query reads the ledger first.
    return spending.handlers['cost.resources']({ account, period: null, only: null, limit: null })
  }
  const compare = () => spending.handlers['cost.disagreements']({ account })
  return { ...opening, sync, compare, filters, zone }
}

const anHour = 3600

describe('costs from the ledger', () => {
  it('are what statements say, and the fee for what they do not cover yet', async () => {
    const { sync, books, pass, spending, account } = await open()
    const { items, history } = await sync()
    expect(history).toBe('complete')
    const kept = await books()
    const charged = items.reduce((sum, { period }) => sum + period.charged, 0)
    expect([charged, items.reduce((sum, { period }) => sum + period.estimated, 0)]).toEqual([
      kept.totals.charged,
      kept.totals.fee - kept.totals.charged,
    ])
    await pass(3 * anHour)
    const later = await spending.handlers['cost.resources']({
      account,
      period: null,
      only: null,
      limit: null,
    })
    expect(later.items.reduce((sum, { period }) => sum + period.charged, 0)).toBe(charged)
    const all = later.items.reduce((sum, { period }) => sum + period.charged + period.estimated, 0)
    expect(all).toBe((await books()).totals.fee)
  })

  it('are summed over the days of another time zone after the computer moved there', async () => {
    const { sync, spending, account, zone, now } = await open()
    await sync()
    const daysOf = async () => {
      const { timeZone, starts, currencies, history } = await spending.handlers['cost.days']({
        account,
        from: '2020-01-01',
        until: calendarIn('UTC').dateAt(now() + 2 * 86_400),
        unit: 'day',
        by: 'total',
        limit: 5,
      })
      const { charged } = must(must(currencies[0]).series[0])
      return { timeZone, starts, history, charged: [...charged] }
    }
    const before = await daysOf()
    zone.name = 'Asia/Kathmandu'
    const after = await daysOf()
    expect(after).toMatchObject({ timeZone: 'Asia/Kathmandu', history: 'complete' })
    expect(must(after.starts[0])).toBe(must(before.starts[0]) - (5 * 3600 + 45 * 60))
    expect(after.charged).not.toEqual(before.charged)
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    expect(sum(after.charged)).toBe(sum(before.charged))
    zone.name = 'UTC'
    expect(await daysOf()).toEqual(before)
  })

  it('agree with usage', async () => {
    const { sync, compare, books } = await open()
    await sync()
    expect(await compare()).toMatchObject({ items: [], compared: (await books()).resources.length })
  })

  it('follow a machine from its beginning to its end, over the end of a day', async () => {
    const { sandbox, sync, books, pass } = await open()
    await sync()
    const State = z.object({ data: z.object({ machines: z.array(z.object({ id: z.string() })) }) })
    const machine = must(State.parse(await control(sandbox, 'GET', '/state')).data.machines[0]).id
    await pass(25 * anHour)
    await control(sandbox, 'DELETE', `/resources/${machine}`)
    await pass(2 * anHour)
    const { items } = await sync()
    const { fee, charged } = must(
      (await books()).resources.find(({ resource_id }) => resource_id === machine),
    )
    expect(items.find(({ resource }) => resource.id === machine)).toMatchObject({
      resource: { state: 'terminated' },
      period: { charged, estimated: 0 },
      life: fee,
      perHour: 0,
    })
    expect(charged).toBe(fee)
  })

  it('know what runs also where the service does not understand the question for what is active', async () => {
    const { sync, view, books, filters } = await open({ understands: false })
    await sync()
    expect((await view()).currencies[0]?.perHour).toBe((await books()).totals.per_minute * 60)
    expect(filters).toContain('active')
  })

  it('are asked for with a request for what is active alone', async () => {
    const { sync, spending, account, filters } = await open()
    await sync()
    filters.length = 0
    await spending.refresh(account)
    expect(new Set(filters)).toEqual(new Set(['active']))
  })
})
