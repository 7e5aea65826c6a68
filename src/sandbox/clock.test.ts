import { describe, expect, it } from 'vitest'
import { createClock } from './clock'

describe('the clock', () => {
  it('runs with the computer’s clock, ahead by its offset', () => {
    let wall = 1_000_900
    const clock = createClock(() => wall, 60)
    expect(clock.now()).toBe(1_060)
    wall += 10_000
    expect([clock.now(), clock.offset()]).toEqual([1_070, 60])
    clock.set(5_000)
    expect([clock.now(), clock.offset()]).toEqual([5_000, 3_990])
    clock.advance(25)
    wall += 1_000
    expect(clock.now()).toBe(5_026)
  })

  it('stops while it is held, can be moved, and continues from there', () => {
    let wall = 1_000_000
    const clock = createClock(() => wall, 0)
    clock.hold(true)
    wall += 10_000
    expect([clock.now(), clock.offset()]).toEqual([1_000, -10])
    clock.advance(7)
    expect(clock.now()).toBe(1_007)
    clock.hold(false)
    wall += 1_000
    expect(clock.now()).toBe(1_008)
  })
})
