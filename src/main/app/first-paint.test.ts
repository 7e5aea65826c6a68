import { beforeEach, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createFirstPaint } from './first-paint'

let clock: ReturnType<typeof fakeClock>
let firstPaint: ReturnType<typeof createFirstPaint>
let waited: string[]
beforeEach(() => {
  clock = fakeClock(1_000)
  firstPaint = createFirstPaint(clock)
  waited = []
})
const wait = async (name: string): Promise<void> => {
  await firstPaint.wait()
  waited.push(name)
}

it('does not wait if no window opens', async () => {
  await wait('sign-in')
  expect(waited).toEqual(['sign-in'])
})

it('is over once the window reports it, and stays over', async () => {
  firstPaint.windowChanged(true)
  const waiting = wait('sign-in')
  expect(waited).toEqual([])
  firstPaint.over()
  await waiting
  firstPaint.windowChanged(true)
  await wait('tray')
  expect([waited, clock.pending()]).toEqual([['sign-in', 'tray'], 0])
})

it('is over after three seconds without a paint, or if the window closes first', async () => {
  firstPaint.windowChanged(true)
  const waiting = wait('late')
  clock.advance(3)
  await waiting
  const other = createFirstPaint(clock)
  other.windowChanged(true)
  const closing = other.wait()
  other.windowChanged(false)
  await closing
  expect([waited, clock.pending()]).toEqual([['late'], 0])
})
