import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createElapsed, isRecent } from './elapsed'

it('a duration within this run ignores changes of the clock', () => {
  const clock = fakeClock(10_000)
  const elapsed = createElapsed(clock)
  elapsed.begin('a')
  clock.set(5_000)
  clock.advance(8)
  expect(elapsed.of('a', 10_000)).toBe(8)
  clock.set(90_000)
  expect(elapsed.of('a', 10_000)).toBe(8)
})

it("a duration from before this run uses the computer's time and is never negative", () => {
  const clock = fakeClock(10_000)
  const elapsed = createElapsed(clock)
  expect(elapsed.of('earlier', 9_970)).toBe(30)
  expect(elapsed.of('later', 13_600)).toBe(0)
  clock.set(5_000)
  clock.advance(4)
  expect([elapsed.of('earlier', 9_970), elapsed.of('later', 13_600)]).toEqual([34, 4])
})

it.each([
  [10_000, true],
  [9_971, true],
  [9_970, false],
  [-Infinity, false],
  [10_001, false],
])('a moment at %d is recent within 30 seconds before 10,000: %s', (at, recent) => {
  expect(isRecent(at, 30, 10_000)).toBe(recent)
})
