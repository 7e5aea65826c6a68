import { describe, expect, it } from 'vitest'
import { bounds, calendarIn } from '#shared/money/calendar'
import { bookOf, type BookDeps, charge, dollars, usage } from './book.fixture'
import { sumByGroup } from './sum-by-group'

/** Returns the sums per day or month, in dollars. */
function counted(
  inputs: BookDeps,
  [from, until]: readonly [string, string],
  { zone = 'UTC', unit = 'day' }: { readonly zone?: string; readonly unit?: 'day' | 'month' } = {},
) {
  const rows = sumByGroup(
    bookOf({ zone, ...inputs }),
    bounds(calendarIn(zone), from, until, unit),
    () => 'all',
  )
  const [row] = rows
  if (!row || rows.length !== 1) throw new Error(`${String(rows.length)} rows`)
  const inDollars = (values: Float64Array) => [...values].map((value) => value / 1_000_000)
  return {
    charged: inDollars(row.charged),
    estimated: inDollars(row.estimated),
    ahead: inDollars(row.ahead),
  }
}

describe('what statements say', () => {
  it('is shared out over the months of the person, not those of the service', () => {
    const charges = [charge('2026-06-30T12:00:00Z', '2026-07-01T12:00:00Z', 24)]
    const july = ['2026-06-01', '2026-08-01'] as const
    const now = '2026-08-01T00:00:00Z'
    expect(counted({ charges, now }, july, { unit: 'month' }).charged).toEqual([12, 12])
    // In Tokyo it is July nine hours earlier, in Los Angeles seven hours later.
    const inZone = (zone: string) => counted({ charges, now }, july, { unit: 'month', zone }).charged
    expect(inZone('Asia/Tokyo')).toEqual([3, 21])
    expect(inZone('America/Los_Angeles')).toEqual([19, 5])
  })

  it('is shared out over days of 23 and of 25 hours by their length', () => {
    const zone = 'Europe/Berlin'
    const now = '2027-01-01T00:00:00Z'
    const spring = [charge('2026-03-28T00:00:00+01:00', '2026-03-31T00:00:00+02:00', 71)]
    expect(counted({ charges: spring, now }, ['2026-03-28', '2026-03-31'], { zone }).charged).toEqual([
      24, 23, 24,
    ])
    const autumn = [charge('2026-10-24T00:00:00+02:00', '2026-10-27T00:00:00+01:00', 73)]
    expect(counted({ charges: autumn, now }, ['2026-10-24', '2026-10-27'], { zone }).charged).toEqual([
      24, 25, 24,
    ])
  })

  it('counts the 29th of February where there is one', () => {
    const charges = [charge('2028-02-28T00:00:00Z', '2028-03-02T00:00:00Z', 3)]
    const now = '2028-04-01T00:00:00Z'
    expect(counted({ charges, now }, ['2028-02-28', '2028-03-02']).charged).toEqual([1, 1, 1])
    expect(counted({ charges, now }, ['2028-02-01', '2028-04-01'], { unit: 'month' }).charged).toEqual([2, 1])
  })

  it('falls on each month that a machine spans', () => {
    const charges = [charge('2026-01-16T00:00:00Z', '2026-03-17T00:00:00Z', 60)]
    const now = '2026-06-01T00:00:00Z'
    expect(counted({ charges, now }, ['2026-01-01', '2026-04-01'], { unit: 'month' }).charged).toEqual([
      16, 28, 16,
    ])
  })

  it('reaches into a period from long before it, and only with the time that lies in it', () => {
    const charges = [
      charge('2026-01-01T00:00:00Z', '2026-01-11T00:00:00Z', 10),
      charge('2026-01-09T00:00:00Z', '2026-01-10T00:00:00Z', 5),
    ]
    expect(counted({ charges, now: '2026-02-01T00:00:00Z' }, ['2026-01-10', '2026-01-12']).charged).toEqual([
      1, 0,
    ])
  })

  it('is not counted as spent where it is due in the future', () => {
    const charges = [charge('2026-07-10T00:00:00Z', '2026-07-14T00:00:00Z', 96)]
    const days = counted({ charges, usage: [usage()], now: '2026-07-11T12:00:00Z' }, [
      '2026-07-10',
      '2026-07-15',
    ])
    expect(days).toEqual({
      charged: [24, 12, 0, 0, 0],
      ahead: [0, 12, 24, 24, 0],
      // Covered time is not estimated.
      estimated: [0, 0, 0, 0, 0],
    })
  })

  it('belongs to its beginning where it covers no time', () => {
    const charges = [
      charge('2026-07-10T10:00:00Z', '2026-07-10T10:00:00Z', 7),
      charge('2026-07-11T00:00:00Z', '2026-07-10T00:00:00Z', 2),
    ]
    expect(counted({ charges, now: '2026-08-01T00:00:00Z' }, ['2026-07-09', '2026-07-12']).charged).toEqual([
      0, 7, 2,
    ])
  })

  it('loses nothing to rounding', () => {
    const charges = [charge('2026-07-01T00:00:07Z', '2026-07-30T00:00:01Z', 0.000_101)]
    const { charged } = counted({ charges, now: '2026-08-01T00:00:00Z' }, ['2026-07-01', '2026-08-01'])
    expect(dollars(charged.reduce((sum, one) => sum + one, 0))).toBe(101)
  })
})

describe('what no statement covers yet', () => {
  const now = '2026-07-11T12:00:00Z'
  const days = ['2026-07-09', '2026-07-12'] as const

  it('is the fee per minute times the full minutes since', () => {
    const charges = [charge('2026-07-09T00:00:00Z', '2026-07-10T00:00:00Z', 14.4)]
    expect(counted({ charges, usage: [usage()], now }, days)).toEqual({
      charged: [14.4, 0, 0],
      estimated: [0, 14.4, 7.2],
      ahead: [0, 0, 0],
    })
    const later = counted({ charges, usage: [usage()], now: '2026-07-11T12:00:59Z' }, days)
    expect(later.estimated).toEqual([0, 14.4, 7.2])
  })

  it('begins when the resource did, where there is no statement at all', () => {
    const young = usage({ created: Date.parse('2026-07-11T11:00:00Z') / 1000 })
    expect(counted({ usage: [young], now }, days).estimated).toEqual([0, 0, 0.6])
  })

  it('ends when the resource did', () => {
    const ended = usage({
      created: Date.parse('2026-07-10T00:00:00Z') / 1000,
      terminated: Date.parse('2026-07-10T01:00:00Z') / 1000,
      status: 'terminated',
    })
    expect(counted({ usage: [ended], now }, days).estimated).toEqual([0, 0.6, 0])
  })

  it('is counted on to when somebody last looked, where the account was left', () => {
    const inputs = { usage: [usage({ created: Date.parse('2026-07-10T00:00:00Z') / 1000 })], now }
    expect(counted({ ...inputs, runsUntil: '2026-07-10T10:00:00Z' }, days).estimated).toEqual([0, 6, 0])
  })

  it('keeps a fee that is far below a millionth a minute', () => {
    const tiny = usage({ perMinute: '0.00000004', created: Date.parse('2026-01-01T00:00:00Z') / 1000 })
    const months = ['2026-01-01', '2026-03-01'] as const
    const { estimated } = counted({ usage: [tiny], now: '2026-03-01T00:00:00Z' }, months, { unit: 'month' })
    // 59 days of 1,440 minutes of 0.04 millionths: 3,398.4; rounded once.
    expect(estimated.map(dollars)).toEqual([1_786, 1_612])
  })
})

describe('currencies', () => {
  it('are never added, and an assumed one is marked', () => {
    const charges = [
      charge('2026-07-10T00:00:00Z', '2026-07-11T00:00:00Z', 5),
      charge('2026-07-10T00:00:00Z', '2026-07-11T00:00:00Z', 7, { currency: 'EUR' }),
      charge('2026-07-10T00:00:00Z', '2026-07-11T00:00:00Z', 1, { currency: null, resource: 'other' }),
    ]
    const book = bookOf({ charges, now: '2026-08-01T00:00:00Z' })
    const rows = sumByGroup(book, [-Infinity, Infinity], () => 'all')
    expect(rows.map(({ currency, assumed, charged }) => [currency, assumed, charged[0]])).toEqual([
      ['USD', true, dollars(6)],
      ['EUR', false, dollars(7)],
    ])
  })
})
