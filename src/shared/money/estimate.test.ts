import { expect, it } from 'vitest'
import { estimate } from './estimate'

it('an estimate is the price of an hour, of 24 and of 30 times 24, exactly', () => {
  expect(estimate({ currency: 'USD', millionths: 2_490_001 })).toEqual({
    hour: { currency: 'USD', millionths: 2_490_001 },
    day: { currency: 'USD', millionths: 59_760_024 },
    month: { currency: 'USD', millionths: 1_792_800_720 },
  })
})
