import { describe, expect, it } from 'vitest'
import { keptWithin, panned, zoomedAround } from './time-range'

const whole = { from: 0, to: 1_000 }

describe('a time range', () => {
  it('is zoomed around a fixed time', () => {
    expect(zoomedAround(whole, 250, 0.5)).toEqual({ from: 125, to: 625 })
    expect(zoomedAround({ from: 125, to: 625 }, 250, 2)).toEqual(whole)
  })
  it('stays inside the whole range and above the minimum length', () => {
    expect(keptWithin(panned({ from: 800, to: 1_000 }, 500), whole, 10)).toEqual({ from: 800, to: 1_000 })
    expect(keptWithin({ from: -500, to: 2_000 }, whole, 10)).toEqual(whole)
    expect(keptWithin({ from: 500, to: 501 }, whole, 10)).toEqual({ from: 495.5, to: 505.5 })
  })
})
