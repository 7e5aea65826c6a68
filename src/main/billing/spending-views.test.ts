import { describe, expect, it } from 'vitest'
import type { SpendingView } from '#shared/bridge/cost'
import { calendarIn } from '#shared/money/calendar'
import { must } from '../../../test/fixtures/service-client'
import { control } from '../../../test/fixtures/account-harness'
import { type Books, openSpending } from '../../../test/fixtures/spending-harness'
import { momentsAt } from './costs/periods'

/** Returns the cost of the minutes between two moments according to the sandbox's books. */
const costBetween = ({ resources }: Books, from: number, until: number): number =>
  resources.reduce((sum, { created_time, minutes, per_minute }) => {
    const seconds = Math.min(until, created_time + minutes * 60) - Math.max(from, created_time)
    return sum + (Math.max(0, seconds) * per_minute) / 60
  }, 0)

const sum = ({ charged, estimated }: { charged: number; estimated: number }) => charged + estimated
const month = (view: SpendingView) => sum(must(view.currencies[0]).month)

describe('spending where nothing is kept', () => {
  it('follows from usage alone, says so, and agrees with the books of the service', async () => {
    const { view, books, now } = await openSpending(() => ({}))
    const found = await view()
    const kept = await books()
    const moments = momentsAt(calendarIn('UTC'), now())
    expect(found).toMatchObject({ history: 'none', usageAsOf: now(), failure: null, sandbox: false })
    const [dollars] = found.currencies
    expect(dollars).toMatchObject({ currency: 'USD', assumed: true, perHour: kept.totals.per_minute * 60 })
    expect(must(dollars).month.charged).toBe(0)
    const expected = costBetween(kept, moments.month, now())
    expect(Math.abs(month(found) - expected)).toBeLessThan(kept.resources.length)
    const active = kept.resources.filter(({ terminated_time }) => terminated_time === null)
    expect(found.running).toEqual({
      machines: active.filter(({ resource_type }) => resource_type === 'vm').length,
      volumes: active.filter(({ resource_type }) => resource_type === 'volume').length,
      bareMetal: 0,
      others: 0,
    })
    expect(must(dollars).forecast).toMatchObject({
      total: month(found) + must(dollars).forecast.rest,
      running: active.length,
    })
  })

  it('says what each resource has cost in its life, to the millionth', async () => {
    const { spending, account, view, books } = await openSpending(() => ({}))
    await view()
    const { items } = await spending.handlers['cost.resources']({
      account,
      period: null,
      only: null,
      limit: null,
    })
    const found = new Map(items.map(({ resource, life, period }) => [resource.id, [life, sum(period)]]))
    for (const { resource_id, fee } of (await books()).resources)
      expect(found.get(resource_id), resource_id).toEqual([fee, fee])
    const top = await spending.handlers['cost.resources']({ account, period: null, only: null, limit: 10 })
    expect(top.items).toEqual(items.slice(0, 10))
    expect(top.count).toBe(items.length)
  })

  it('grows by itself, and is published each minute', async () => {
    const { spending, clock, pass, view, now } = await openSpending(() => ({}))
    const before = await view()
    const published: SpendingView[] = []
    spending.onChange((next) => published.push(next))
    clock.advance(1)
    expect(published).toHaveLength(1)
    // Whole hours since the first reading.
    await pass(3600 - 1)
    clock.advance(0)
    const after = must(published.at(-1))
    expect(after.asOf).toBe(now())
    const grown = sum(must(after.currencies[0]).month) - month(before)
    const { perHour } = must(before.currencies[0])
    expect(Math.abs(grown - perHour)).toBeLessThanOrEqual(before.running.machines + before.running.volumes)
  })

  it('changes when a machine is no more', async () => {
    const { sandbox, view, books } = await openSpending(() => ({}))
    const before = must((await view()).currencies[0])
    const active = (await books()).resources.find(
      ({ resource_type, terminated_time }) => resource_type === 'vm' && terminated_time === null,
    )
    await control(sandbox, 'DELETE', `/resources/${must(active).resource_id}`)
    const after = must((await view()).currencies[0])
    expect(before.perHour - after.perHour).toBe(must(active).per_minute * 60)
  })

  it('keeps telling what it knew, and why, where the service cannot be asked', async () => {
    const { sandbox, view } = await openSpending(() => ({}))
    const before = await view()
    await sandbox.close()
    const after = await view()
    expect(after.failure).toMatchObject({ kind: 'cannot-connect' })
    expect(after.currencies).toEqual(before.currencies)
  })
})
