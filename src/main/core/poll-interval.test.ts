import { describe, expect, it } from 'vitest'
import { type Circumstances, pause } from './poll-interval'

const calm: Circumstances = { moving: false, selected: true, windowOpen: true, failures: 0, lastReading: 0.1 }

describe('the pause between two readings', () => {
  it('is 15 s for the selected account, 60 s for others and without a window', () => {
    expect(pause(calm)).toBe(15)
    expect(pause({ ...calm, selected: false })).toBe(60)
    expect(pause({ ...calm, windowOpen: false })).toBe(60)
  })

  it('is short during a transition', () => {
    expect(pause({ ...calm, moving: true })).toBe(3)
    expect(pause({ ...calm, moving: true, windowOpen: false })).toBe(15)
  })

  it('grows with each failure, up to five minutes', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 50].map((failures) => pause({ ...calm, moving: true, failures }))
    expect(pauses).toEqual([15, 30, 60, 120, 240, 300, 300])
  })

  it('spends at most a tenth of the time reading', () => {
    expect(pause({ ...calm, lastReading: 8 })).toBe(80)
  })

  it('spends at most a third of the time reading during a transition', () => {
    expect(pause({ ...calm, moving: true, lastReading: 8 })).toBe(16)
  })

  it('ignores the duration of a reading that timed out', () => {
    expect(pause({ ...calm, failures: 1, lastReading: 30 })).toBe(15)
  })
})
