import { expect, it } from 'vitest'
import { type Charge, chargesOf, gatherCharges } from './charges'

const charge = (from: number, millionths: number): Charge => ({
  resource: `r${String(millionths % 3)}`,
  type: 'vm',
  from,
  until: from + 60,
  millionths,
  currency: millionths % 2 === 0 ? 'EUR' : null,
})

it.each([1, 1e10])('puts charges in the order of time, those of one moment as they come', (length) => {
  const moments = [5, 3, 9, 3, 1, 9, 0, 7].map((moment) => moment * length)
  const { from, millionths, count, resource, resources, currency, currencies } = chargesOf(
    moments.map((moment, index) => charge(moment, index)),
  )
  expect([...from.subarray(0, count)]).toEqual([0, 1, 3, 3, 5, 7, 9, 9].map((moment) => moment * length))
  const order = [6, 4, 1, 3, 0, 7, 2, 5]
  expect([...millionths.subarray(0, count)]).toEqual(order)
  expect(order.map((_, at) => resources[resource[at] ?? -1]?.id)).toEqual(
    order.map((index) => `r${String(index % 3)}`),
  )
  expect(order.map((_, at) => currencies[currency[at] ?? -1])).toEqual(
    order.map((index) => (index % 2 === 0 ? 'EUR' : null)),
  )
})

it('leaves what came before as it is', () => {
  const before = chargesOf([charge(1, 1), charge(2, 2), charge(8, 3)])
  const gather = gatherCharges(before, 5)
  for (const moment of [9, 6, 7]) gather.add(charge(moment, moment))
  const { millionths, count } = gather.done()
  expect([...millionths.subarray(0, count)]).toEqual([1, 2, 6, 7, 9])
  expect([...before.millionths.subarray(0, before.count)]).toEqual([1, 2, 3])
})
