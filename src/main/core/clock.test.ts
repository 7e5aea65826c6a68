import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from './clock'

const day = 86_400

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a delay of months keeps its length and can be cancelled at any time', () => {
  const seen: string[] = []
  systemClock.after(60 * day, () => seen.push('later'))
  const cancel = systemClock.after(60 * day, () => seen.push('cancelled'))
  systemClock.after(5, () => seen.push('soon'))
  vi.advanceTimersByTime(10_000)
  expect(seen).toEqual(['soon'])
  vi.advanceTimersByTime(59 * day * 1000)
  cancel()
  expect(seen).toEqual(['soon'])
  vi.advanceTimersByTime(day * 1000)
  expect(seen).toEqual(['soon', 'later'])
})
