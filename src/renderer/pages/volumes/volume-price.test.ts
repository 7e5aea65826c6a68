import { expect, it } from 'vitest'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import { volumeEstimate } from './volume-price'

const usd = (millionths: number) => ({ currency: 'USD', millionths })
const volumes = [
  volumeNamed('here', { size: 100, region: { id: 'oslo', name: 'Oslo' } }),
  volumeNamed('there', { size: 500, region: { id: 'texas', name: 'Texas' } }),
  volumeNamed('unpriced', { size: 500, region: { id: 'oslo', name: 'Oslo' } }),
  volumeNamed('unsized', { size: null }),
]
const prices = new Map([
  ['here', usd(1_000)],
  ['there', usd(20_000)],
  ['unsized', usd(7)],
])
const priced = (changes: Partial<Parameters<typeof volumeEstimate>[2]> = {}) =>
  volumeEstimate(volumes, (id) => prices.get(id) ?? null, {
    size: 250,
    region: 'oslo',
    currency: '',
    ...changes,
  })

it('the estimate uses the fee per GB of a volume in the same region, else in another', () => {
  expect(priced()).toEqual(usd(2_500))
  expect(priced({ region: 'texas' })).toEqual(usd(10_000))
  expect(priced({ region: 'lima' })).toEqual(usd(2_500))
})

it('the estimate is unknown if no volume has a price in the currency', () => {
  expect(priced({ currency: 'eur' })).toBeNull()
  expect(priced({ currency: 'usd' })).toEqual(usd(2_500))
  expect(volumeEstimate([], () => null, { size: 1, region: '', currency: '' })).toBeNull()
})
