import { expect, it } from 'vitest'
import { unpricedItem } from '../../../../test/gallery/unknown-costs'
import { now } from '../../../../test/gallery/world'
import { axisMoney, periodCost } from './cost-text'

it('the cost of a period is unknown without a price or a start', () => {
  expect(periodCost(unpricedItem)).toBeNull()
  expect(periodCost({ ...unpricedItem, perHour: 0 })).toBe(0)
  const undated = { ...unpricedItem, perHour: 6_000_000 }
  expect(periodCost(undated)).toBeNull()
  expect(periodCost({ ...undated, resource: { ...undated.resource, createdAt: now } })).toBe(0)
})

it('an axis shows the digits of a small amount', () => {
  expect([0, 0.002, 1_200].map(axisMoney)).toEqual(['0', '0.002', '1,200'])
})
