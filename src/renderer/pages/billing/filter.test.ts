import { describe, expect, it } from 'vitest'
import { calendarIn } from '#shared/money/calendar'
import { boundsOf, isFiltered, noFilter, queryOf } from './filter'

const oslo = calendarIn('Europe/Oslo')
const at = (text: string): number => Date.parse(text) / 1000
/** The day after the clocks were put back in Oslo. */
const now = at('2026-10-26T09:00:00+01:00')
const sorting = {
  statements: { key: 'startedAt' as const, descending: true },
  usage: { key: 'total' as const, descending: true },
}

describe('the times of a filter', () => {
  it('are local days and months, including a repeated hour', () => {
    expect(boundsOf({ ...noFilter, period: 'month' }, oslo, now)).toEqual({
      from: at('2026-10-01T00:00:00+02:00'),
    })
    expect(boundsOf({ ...noFilter, period: 'lastMonth' }, oslo, now)).toEqual({
      from: at('2026-09-01T00:00:00+02:00'),
      to: at('2026-10-01T00:00:00+02:00'),
    })
    const day = { ...noFilter, period: 'dates' as const, first: '2026-10-25', last: '2026-10-25' }
    const { from = 0, to = 0 } = boundsOf(day, oslo, now)
    expect(to - from).toBe(25 * 3600)
  })

  it('include today and a leap day', () => {
    expect(boundsOf({ ...noFilter, period: 'days30' }, oslo, now)).toEqual({
      from: at('2026-09-27T00:00:00+02:00'),
    })
    const leap = at('2028-03-01T12:00:00+01:00')
    expect(boundsOf({ ...noFilter, period: 'lastMonth' }, oslo, leap)).toEqual({
      from: at('2028-02-01T00:00:00+01:00'),
      to: at('2028-03-01T00:00:00+01:00'),
    })
  })

  it('are open without a chosen day', () => {
    expect(boundsOf({ ...noFilter, period: 'dates' }, oslo, now)).toEqual({})
    expect(boundsOf({ ...noFilter, period: 'year' }, oslo, now)).toEqual({
      from: at('2026-01-01T00:00:00+01:00'),
    })
  })
})

describe('the query of a table', () => {
  const resource = { id: 'a', name: 'train', type: 'vm', ended: false }

  it('contains only the chosen filters', () => {
    expect(queryOf('statements', noFilter, sorting, oslo, now)).toEqual({
      kind: 'statements',
      filter: {},
      sort: 'startedAt',
      descending: true,
    })
    expect(
      queryOf(
        'statements',
        { ...noFilter, resource, resourceType: 'vm', chargeType: 'lease_fee', status: 'paid' },
        sorting,
        oslo,
        now,
      ).filter,
    ).toEqual({ resource: 'a', resourceType: 'vm', type: 'lease_fee', status: 'paid' })
  })

  it('contains a part of a name only for usage', () => {
    const draft = { ...noFilter, name: 'train', chargeType: 'lease_fee' }
    expect(queryOf('usage', draft, sorting, oslo, now).filter).toEqual({ name: 'train' })
    expect(queryOf('statements', draft, sorting, oslo, now).filter).toEqual({ type: 'lease_fee' })
  })

  it('is filtered or not', () => {
    expect(isFiltered(noFilter)).toBe(false)
    expect(isFiltered({ ...noFilter, resource })).toBe(true)
    expect(isFiltered({ ...noFilter, period: 'dates' })).toBe(true)
  })
})
