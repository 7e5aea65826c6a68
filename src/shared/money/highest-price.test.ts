import { expect, it } from 'vitest'
import { highestPrice } from './highest-price'

it('the highest price counts every GPU, and the price itself without a count', () => {
  const price = { currency: 'USD', millionths: 2_500_000 }
  const total = (gpuCount: number | null) => highestPrice({ price, gpuCount })?.millionths
  expect([null, 0, 1, 8, 0.5, 1.5].map(total)).toEqual([
    2_500_000, 2_500_000, 2_500_000, 20_000_000, 2_500_000, 5_000_000,
  ])
  expect(highestPrice({ price: null, gpuCount: 8 })).toBeNull()
})
