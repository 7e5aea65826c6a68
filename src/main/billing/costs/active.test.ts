import { expect, it } from 'vitest'
import { activeCosts } from './active'
import { bookOf, dollars, usage } from './book.fixture'

it('lists what is billed once in each currency that it is billed in', () => {
  const book = bookOf({
    usage: [
      usage({ id: '1', life: dollars(5) }),
      usage({ id: '2', perMinute: '0.02' }),
      usage({ id: '3', currency: 'EUR', perMinute: '0.03', life: dollars(7) }),
    ],
    now: '2026-07-02T00:00:00Z',
  })
  expect(activeCosts(book).map(({ id, currency, perHour, soFar }) => [id, currency, perHour, soFar])).toEqual(
    [
      ['m', 'USD', dollars(1.8), dollars(5)],
      ['m', 'EUR', dollars(1.8), dollars(7)],
    ],
  )
})
