import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createRequestHold } from './request-hold'

it('reports the end of a pause that was checked while the clock was set back', () => {
  const clock = fakeClock(1_000_000)
  const shown: (number | null)[] = []
  const hold = createRequestHold(clock, () => shown.push(hold.shown()))
  hold.begin(60)
  clock.set(1_000_000 - 86_400)
  hold.check()
  clock.set(1_000_060)
  clock.advance(0)
  expect(shown).toEqual([1_000_060, null])
})

it('reports the end of a pause that was checked before its timer ran', () => {
  const clock = fakeClock(1_000_000)
  let changes = 0
  const hold = createRequestHold(clock, () => (changes += 1))
  hold.begin(60)
  clock.set(1_000_061)
  expect(hold.shown()).toBeNull()
  clock.advance(0)
  expect(changes).toBe(2)
})

it('shows the end of a pause that was prolonged shortly before', () => {
  const clock = fakeClock(1_000_000)
  const shown: (number | null)[] = []
  const hold = createRequestHold(clock, () => shown.push(hold.shown()))
  hold.begin(60)
  clock.advance(58)
  hold.begin(4)
  clock.advance(4)
  expect(shown).toEqual([1_000_060, 1_000_062, null])
})

describe('a request that waits for the end of a pause', () => {
  const begin = (seconds: number) => {
    const clock = fakeClock(1_000_000)
    let changes = 0
    const hold = createRequestHold(clock, () => (changes += 1))
    hold.begin(seconds)
    let isOver = false
    const wait = (signal?: AbortSignal) => hold.nearlyEnded(signal).then(() => (isOver = true))
    const settled = () => new Promise((resolve) => setImmediate(resolve))
    return { clock, hold, wait, settled, changes: () => changes, isOver: () => isOver }
  }

  it('continues after a short pause, which is not shown', async () => {
    const { clock, hold, wait, settled, changes, isOver } = begin(5)
    void wait()
    clock.advance(4.9)
    await settled()
    expect(isOver()).toBe(false)
    expect(() => hold.check()).toThrow('rate-limited')
    clock.advance(0.1)
    await settled()
    expect(isOver()).toBe(true)
    expect(() => hold.check()).not.toThrow()
    expect([hold.shown(), changes()]).toEqual([null, 0])
  })

  it('continues when the user retries', async () => {
    const { hold, wait } = begin(4)
    const waited = wait()
    hold.release()
    expect(await waited).toBe(true)
  })

  it.each(['at once', 'where it gets longer meanwhile'])(
    'does not wait for a long pause: %s',
    async (when) => {
      const { hold, wait } = begin(when === 'at once' ? 60 : 4)
      const waited = wait()
      hold.begin(61)
      expect(await waited).toBe(true)
      expect(() => hold.check()).toThrow('rate-limited')
      expect(hold.shown()).toBe(1_000_061)
    },
  )

  it('stops waiting when it is cancelled', async () => {
    const { wait } = begin(4)
    const cancelling = new AbortController()
    const waited = wait(cancelling.signal)
    cancelling.abort()
    expect(await waited).toBe(true)
    expect(await wait(cancelling.signal)).toBe(true)
  })

  it('is released after a few others, unless another pause follows', async () => {
    const { clock, hold, settled } = begin(1)
    let gone = 0
    for (let request = 0; request < 10; request += 1) void hold.nearlyEnded().then(() => (gone += 1))
    clock.advance(1)
    await settled()
    expect(gone).toBe(4)
    hold.begin(1)
    clock.advance(0.9)
    await settled()
    expect(gone).toBe(4)
    clock.advance(0.1)
    await settled()
    expect(gone).toBe(8)
    clock.advance(0.25)
    await settled()
    expect(gone).toBe(10)
  })

  it('continues when the user retries after a pause has ended', async () => {
    const { clock, hold, settled } = begin(1)
    let gone = 0
    for (let request = 0; request < 10; request += 1) void hold.nearlyEnded().then(() => (gone += 1))
    clock.advance(1)
    hold.release()
    clock.advance(0.25)
    await settled()
    expect(gone).toBe(10)
  })

  it('stops waiting if one pause follows another', async () => {
    const { clock, hold, settled } = begin(1)
    let gone = 0
    for (let request = 0; request < 100; request += 1) void hold.nearlyEnded().then(() => (gone += 1))
    for (let second = 0; second < 14; second += 1) {
      clock.advance(1)
      hold.begin(1)
    }
    await settled()
    expect(gone).toBe(14 * 4)
    clock.advance(1)
    await settled()
    expect(gone).toBe(100)
  })
})
