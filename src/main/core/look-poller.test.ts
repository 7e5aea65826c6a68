import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createLookPoller } from './look-poller'

const open = () => {
  const reads: string[] = []
  const clock = fakeClock()
  const state = { online: true }
  const poller = createLookPoller<string>({
    clock,
    online: () => state.online,
    interval: 60,
    read: async (subject) => void reads.push(subject),
  })
  /** Advances by the interval. Returns false if nothing was due. */
  const pass = async (): Promise<boolean> => {
    const waited = clock.pending() > 0
    clock.advance(60)
    await new Promise((resolve) => setImmediate(resolve))
    return waited
  }
  return { poller, reads, pass, state }
}

it('reads the subject after each interval until no page shows it', async () => {
  const { poller, reads, pass } = open()
  expect(await pass()).toBe(false)
  poller.look('tokens', true)
  await pass()
  await pass()
  expect(reads).toEqual(['tokens', 'tokens'])
  poller.look('tokens', false)
  expect(await pass()).toBe(false)
})

it('follows the page that opened last, in whatever order the pages report', async () => {
  const { poller, reads, pass } = open()
  poller.look('first', true)
  poller.look('second', true)
  poller.look('first', false)
  await pass()
  expect(reads).toEqual(['second'])
})

it('pauses without a window, asleep, offline and closed', async () => {
  const { poller, reads, pass, state } = open()
  poller.look('tokens', true)
  poller.windowChanged(false)
  expect(await pass()).toBe(false)
  poller.windowChanged(true)
  poller.wakeChanged(false)
  expect(await pass()).toBe(false)
  poller.wakeChanged(true)
  state.online = false
  await pass()
  expect(reads).toEqual([])
  state.online = true
  await pass()
  expect(reads).toEqual(['tokens'])
  poller.close()
  expect(await pass()).toBe(false)
})
