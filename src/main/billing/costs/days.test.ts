import { describe, expect, it } from 'vitest'
import { bounds, calendarIn } from '#shared/money/calendar'
import { bookOf, charge, seen } from './book.fixture'
import { costSeries } from './days'

const days = bounds(calendarIn('UTC'), '2026-07-01', '2026-07-04', 'day')
const day = (resource: string, amount: number, more = {}) =>
  charge('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', amount, { resource, ...more })
const now = '2026-07-20T00:00:00Z'

describe('a stack of costs', () => {
  const charges = [day('a', 1), day('b', 5), day('c', 3), day('d', 2), day('v', 4, { type: 'volume' })]
  const known = [seen('a'), seen('b', { gpu: 'L40S' }), seen('c'), seen('v', { kind: 'volume', gpu: '' })]
  const book = bookOf({ charges, seen: known, now })
  const stack = (by: 'total' | 'resource' | 'type' | 'gpu' | 'region', limit = 10) =>
    costSeries(book, days, by, limit).map(({ currency, series }) => [
      currency,
      ...series.map(({ share, total }) => [
        share.kind === 'named' ? share.name : share.kind,
        total / 1_000_000,
      ]),
    ])

  it('is by resource, the most expensive first, the rest added up', () => {
    expect(stack('resource')).toEqual([['USD', ['b', 5], ['v', 4], ['c', 3], ['d', 2], ['a', 1]]])
    expect(stack('resource', 2)).toEqual([['USD', ['b', 5], ['v', 4], ['others', 6]]])
  })

  it('does not make a heap of one', () => {
    expect(stack('resource', 4)).toEqual(stack('resource'))
  })

  it('is by type, GPU model and region, where what was never seen is unknown', () => {
    expect(stack('type')).toEqual([['USD', ['vm', 11], ['volume', 4]]])
    expect(stack('gpu')).toEqual([['USD', ['L40S', 5], ['H100', 4], ['none', 4], ['unknown', 2]]])
    expect(stack('region')).toEqual([['USD', ['Virginia', 13], ['unknown', 2]]])
    expect(stack('total')).toEqual([['USD', ['total', 15]]])
  })

  it('distinguishes a GPU that is called unknown', () => {
    const odd = bookOf({ charges: [day('a', 1), day('b', 2)], seen: [seen('a', { gpu: 'unknown' })], now })
    expect(costSeries(odd, days, 'gpu', 5)[0]?.series.map(({ share }) => share)).toEqual([
      { kind: 'unknown' },
      { kind: 'named', key: 'unknown', name: 'unknown' },
    ])
  })

  it('has a stack per currency, and none for a period that cost nothing', () => {
    const mixed = bookOf({ charges: [day('a', 1), day('a', 2, { currency: 'EUR' })], now })
    expect(
      costSeries(mixed, days, 'resource', 5).map(({ currency, series }) => [currency, series.length]),
    ).toEqual([
      ['EUR', 1],
      ['USD', 1],
    ])
    expect(costSeries(mixed, [0, 1], 'resource', 5)).toEqual([])
  })
})
