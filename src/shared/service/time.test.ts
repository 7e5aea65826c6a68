import { expect, it } from 'vitest'
import { Statement } from './billing'
import { Machine } from './machine'

it.each([
  [1_700_000_000, 1_700_000_000],
  [0, 0],
  [null, null],
  [1_700_000_000_000, 1_700_000_000],
  // Invalid times.
  [1e300, undefined],
  [-1, undefined],
  ['today', undefined],
])('a machine that started at %j is read as started at %j', (started_time, expected) => {
  expect(Machine.parse({ id: 'a', name: 'b', started_time }).started_time).toBe(expected)
})

it('a charge with an invalid time is unreadable', () => {
  const charge = {
    id: 'a',
    resource_id: 'm',
    resource_type: 'vm',
    started_time: 0,
    due_time: 3_600,
    amount: 1,
  }
  expect(Statement.safeParse(charge).success).toBe(true)
  expect(Statement.parse({ ...charge, due_time: 1_700_000_000_500 }).due_time).toBe(1_700_000_000.5)
  expect(Statement.safeParse({ ...charge, due_time: 1e18 }).success).toBe(false)
})
