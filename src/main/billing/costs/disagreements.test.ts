import { describe, expect, it } from 'vitest'
import { bookOf, charge, dollars, time, usage } from './book.fixture'
import { disagreements } from './disagreements'

const day = (resource: string, amount: number, more = {}) =>
  charge('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', amount, { resource, ...more })
const now = '2026-07-20T00:00:00Z'
const over = { status: 'terminated', terminated: time('2026-07-02T00:00:00Z') }
const start = time('2026-07-01T00:00:00Z')

describe('statements and usage', () => {
  const lived = (life: number, more = {}) =>
    usage({
      created: start,
      life: dollars(life),
      reportedAt: time('2026-07-02T01:00:00Z'),
      minutes: 1500,
      ...more,
    })
  const compare = (life: number, more = {}) =>
    disagreements(
      bookOf({ charges: [day('m', 14.4)], usage: [lived(life, more)], now: '2026-07-02T02:00:00Z' }),
    )

  it('agree where statements and the tail add up to what usage reported then', () => {
    expect(compare(15)).toEqual({ items: [], compared: 1 })
    // Only one source counts the current minute already.
    expect(compare(15.01).items).toEqual([])
  })

  it('disagree by so much', () => {
    expect(compare(16).items).toMatchObject([
      {
        resource: { id: 'm' },
        currency: 'USD',
        statements: { charged: dollars(14.4), estimated: dollars(0.6) },
        usage: dollars(16),
        difference: dollars(-1),
      },
    ])
  })

  it('are compared up to a whole second, whenever usage was reported', () => {
    const reportedAt = time('2026-07-01T12:00:00Z') + 0.123
    const book = bookOf({
      charges: [day('m', 40_000)],
      usage: [lived(20_000, { reportedAt, minutes: null })],
      now: '2026-07-02T02:00:00Z',
    })
    expect(disagreements(book)).toEqual({ items: [], compared: 1 })
  })

  it('must come to the same exactly once a resource is over', () => {
    expect(compare(14.4, over).items).toEqual([])
    expect(compare(14.41, over).items).toMatchObject([{ difference: dollars(-0.01) }])
  })

  it('are compared only where usage reports a cost', () => {
    const book = bookOf({ charges: [day('m', 14.4)], usage: [usage()], now })
    expect(disagreements(book)).toEqual({ items: [], compared: 0 })
  })
})
