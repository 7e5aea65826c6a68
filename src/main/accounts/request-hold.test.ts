import { describe, expect, it } from 'vitest'
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

describe('who waits for the end of a pause', () => {
  const begin = () => {
    const clock = fakeClock(1_000_000)
    const hold = createRequestHold(clock, () => undefined)
    hold.begin(4)
    return { clock, hold }
  }

  it('goes on once it has ended, and at once where there is none', async () => {
    const { clock, hold } = begin()
    const ended = hold.ended(5)
    clock.advance(4)
    expect(await ended).toBe(true)
    expect(await hold.ended(5)).toBe(true)
  })

  it('goes on where the person says to try now', async () => {
    const { hold } = begin()
    const ended = hold.ended(5)
    hold.release()
    expect(await ended).toBe(true)
  })

  it('does not wait longer than it wants to, also where the pause gets longer meanwhile', async () => {
    const { hold } = begin()
    expect(await hold.ended(3)).toBe(false)
    const ended = hold.ended(5)
    hold.begin(60)
    expect(await ended).toBe(false)
  })

  it('gives up where it is cancelled', async () => {
    const { hold } = begin()
    const cancelling = new AbortController()
    const ended = hold.ended(5, cancelling.signal)
    cancelling.abort()
    expect(await ended).toBe(false)
    expect(await hold.ended(5, cancelling.signal)).toBe(false)
  })
})
