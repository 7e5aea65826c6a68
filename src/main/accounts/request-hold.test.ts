import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createRequestHold } from './request-hold'

it('reports that a pause has ended, also where it was looked at while the clock was set back', () => {
  const clock = fakeClock(1_000_000)
  const shown: (number | null)[] = []
  const hold = createRequestHold(clock, () => shown.push(hold.until()))
  hold.begin(60)
  clock.set(1_000_000 - 86_400)
  hold.check()
  clock.set(1_000_060)
  clock.advance(0)
  expect(shown).toEqual([1_000_060, null])
})

it('reports it where it was looked at before its timer came', () => {
  const clock = fakeClock(1_000_000)
  let changes = 0
  const hold = createRequestHold(clock, () => (changes += 1))
  hold.begin(60)
  clock.set(1_000_061)
  expect(hold.until()).toBeNull()
  clock.advance(0)
  expect(changes).toBe(2)
})
