import { describe, expect, it } from 'vitest'
import { calendarIn } from '#shared/money/calendar'
import { knownSpending } from '#shared/money/known-spending'
import { portion } from '#shared/money/prorate'
import { bookOf, type BookDeps, charge, dollars, seen, time, usage } from './book.fixture'
import { momentsAt } from './periods'
import { countRunning, spendingOf } from './spending-totals'

function spending(inputs: BookDeps, zone = 'UTC') {
  return spendingOf(bookOf({ zone, ...inputs }), momentsAt(calendarIn(zone), time(inputs.now)))
}
const inDollars = ({ charged, estimated }: { charged: number; estimated: number }) => [
  charged / 1_000_000,
  estimated / 1_000_000,
]
const created = (text: string) => ({ created: time(text) })

describe('spending', () => {
  it('says what today, this month and last month came to, by the clocks of the person', () => {
    // A dollar an hour from the middle of May; the first hours of 1 July in Berlin are still June in UTC.
    const charges = [charge('2026-05-15T00:00:00Z', '2026-06-30T23:00:00Z', 47 * 24 - 1)]
    const inputs = { charges, usage: [usage(created('2026-05-15T00:00:00Z'))], now: '2026-06-30T23:30:00Z' }
    const [berlin] = spending(inputs, 'Europe/Berlin')
    expect(berlin && [berlin.today, berlin.month, berlin.lastMonth].map(inDollars)).toEqual([
      [1, 0.3],
      [1, 0.3],
      [720, 0],
    ])
    const [utc] = spending(inputs)
    expect(utc && [utc.today, utc.month, utc.lastMonth].map(inDollars)).toEqual([
      [23, 0.3],
      [719, 0.3],
      [408, 0],
    ])
  })

  it('has a today of 25 hours when the clocks are put back', () => {
    const [view] = spending(
      { usage: [usage(created('2026-10-20T00:00:00Z'))], now: '2026-10-25T23:59:00+01:00' },
      'Europe/Berlin',
    )
    expect(view && inDollars(view.today)).toEqual([0, 14.99])
  })

  it('forecasts the month from what runs now', () => {
    const charges = [charge('2026-06-01T00:00:00Z', '2026-06-11T00:00:00Z', 100)]
    const [view] = spending({
      charges,
      // 60 cents an hour; 20 days are left, and half a day is not charged yet.
      usage: [usage(created('2026-06-01T00:00:00Z'))],
      now: '2026-06-11T12:00:00Z',
    })
    expect(view?.perHour).toBe(dollars(0.6))
    expect(view?.forecast).toEqual({
      total: dollars(100 + 7.2 + 19.5 * 14.4),
      rest: dollars(19.5 * 14.4),
      running: 1,
      perHour: dollars(0.6),
      unpriced: 0,
      undated: 0,
    })
  })

  it('counts what runs at an unknown fee, which no amount includes', () => {
    const [view] = spending({
      usage: [usage(created('2026-06-11T00:00:00Z')), usage({ resource: 'n', perMinute: null })],
      now: '2026-06-11T12:00:00Z',
    })
    expect(view?.forecast).toMatchObject({ running: 2, unpriced: 1, undated: 0, perHour: dollars(0.6) })
  })

  it('is unknown up to now for what began at an unknown time, until its uptime or a statement dates it', () => {
    const undated = usage({ created: null, perMinute: '0.1' })
    const now = '2026-06-11T12:00:00Z'
    const [unknown] = spending({ usage: [undated], now })
    expect(unknown?.forecast).toMatchObject({ undated: 1, unpriced: 0, perHour: dollars(6) })
    expect(unknown && knownSpending(unknown, 'complete')).toEqual({
      perHour: dollars(6),
      today: null,
      month: null,
      lastMonth: null,
      forecast: null,
    })

    const [counted] = spending({ usage: [{ ...undated, minutes: 90, reportedAt: time(now) }], now })
    expect(counted?.forecast.undated).toBe(0)
    expect(counted && inDollars(counted.today)).toEqual([0, 9])

    const charges = [charge('2026-06-11T00:00:00Z', '2026-06-11T11:00:00Z', 66)]
    const [charged] = spending({ usage: [undated], charges, now })
    expect(charged?.forecast.undated).toBe(0)
    expect(charged && inDollars(charged.today)).toEqual([66, 6])
  })

  it('forecasts what is charged ahead by the statement, and the rest by the fee', () => {
    const [view] = spending({
      charges: [charge('2026-06-01T00:00:00Z', '2026-06-21T00:00:00Z', 200)],
      usage: [usage(created('2026-06-01T00:00:00Z'))],
      now: '2026-06-11T00:00:00Z',
    })
    expect(view && inDollars(view.month)).toEqual([100, 0])
    expect(view?.forecast.rest).toBe(dollars(100 + 10 * 14.4))
  })

  it.each([-1, 0])('a statement of %d USD pays for no time', (amount) => {
    const [view] = spending({
      charges: [
        charge('2026-06-01T00:00:00Z', '2026-06-11T00:00:00Z', 100),
        charge('2026-06-09T00:00:00Z', '2026-07-09T00:00:00Z', amount),
      ],
      usage: [usage(created('2026-06-01T00:00:00Z'))],
      now: '2026-06-11T12:00:00Z',
    })
    // 2.5 and 19.5 of the 30 days of the refund. Half a day is not charged yet.
    expect(view?.month).toEqual({
      charged: dollars(100) + portion(dollars(amount), 5, 60),
      estimated: dollars(7.2),
    })
    expect(view?.forecast.total).toBe(dollars(100 + 7.2 + 19.5 * 14.4) + portion(dollars(amount), 44, 60))
  })

  it('forecasts a machine that is known to end only until then', () => {
    const ending = usage({ ...created('2026-06-11T00:00:00Z'), terminated: time('2026-06-12T00:00:00Z') })
    const [view] = spending({ usage: [ending], now: '2026-06-11T00:00:00Z' })
    expect(view?.forecast.rest).toBe(dollars(14.4))
  })

  it('forecasts February by its own length', () => {
    const rest = (now: string) => spending({ usage: [usage(created(now))], now })[0]?.forecast.rest
    expect(rest('2028-02-28T00:00:00Z')).toBe(dollars(2 * 14.4))
    expect(rest('2027-02-28T00:00:00Z')).toBe(dollars(14.4))
  })
})

describe('spending by currency and resource', () => {
  it('counts a machine that ended in what it cost, not in what is spent per hour', () => {
    const ended = usage({
      ...created('2026-06-10T00:00:00Z'),
      terminated: time('2026-06-10T10:00:00Z'),
      status: 'terminated',
    })
    const [view] = spending({ usage: [ended], now: '2026-06-11T00:00:00Z' })
    expect(view && inDollars(view.month)).toEqual([0, 6])
    expect([view?.perHour, view?.forecast.rest, view?.forecast.running]).toEqual([0, 0, 0])
  })

  it('keeps currencies apart, the one with the most per hour first', () => {
    const inputs = {
      usage: [
        usage({ ...created('2026-06-10T00:00:00Z'), currency: null, resource: 'a' }),
        usage({ ...created('2026-06-10T00:00:00Z'), currency: 'EUR', resource: 'b', perMinute: '0.02' }),
      ],
      now: '2026-06-10T01:00:00Z',
    }
    expect(spending(inputs).map(({ currency, assumed, perHour }) => [currency, assumed, perHour])).toEqual([
      ['EUR', false, dollars(1.2)],
      ['USD', true, dollars(0.6)],
    ])
  })

  it('is nothing where nothing was ever charged', () => {
    expect(spending({ now: '2026-06-10T01:00:00Z' })).toEqual([])
  })

  it('counts what runs, each once', () => {
    const now = '2026-06-10T01:00:00Z'
    const book = bookOf({
      usage: [
        usage({ resource: 'a' }),
        usage({ resource: 'a', id: 'a second entry' }),
        usage({ resource: 'b', type: 'volume' }),
        usage({ resource: 'c', type: 'gateway' }),
        usage({ resource: 'd', status: 'terminated' }),
        // Reported as a machine, but known as bare metal, or by its own type.
        usage({ resource: 'metal' }),
        usage({ resource: 'named', type: 'bare_metal' }),
      ],
      seen: [seen('metal', { kind: 'bare-metal' })],
      now,
    })
    expect(countRunning(book)).toEqual({ machines: 1, bareMetal: 2, volumes: 1, others: 1 })
    // After a sign-out it is unknown what still runs.
    expect(countRunning(bookOf({ usage: [usage()], now, runsUntil: '2026-06-09T00:00:00Z' }))).toEqual({
      machines: 0,
      bareMetal: 0,
      volumes: 0,
      others: 0,
    })
  })
})
