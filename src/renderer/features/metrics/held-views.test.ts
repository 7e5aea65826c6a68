import { describe, expect, it } from 'vitest'
import { covers } from './held-views'

describe('what is held of a machine’s load', () => {
  const held = { range: { from: 0, to: 1_000 }, part: 1, views: new Map() }
  it('serves steps of the zoom for which it is fine enough', () => {
    expect(covers(held, { from: 200, to: 600 }, 400)).toBe(true)
    expect(covers(held, { from: 200, to: 599 }, 400)).toBe(false)
  })
  it('serves nothing outside of it', () => {
    expect(covers(held, { from: -1, to: 900 }, 100)).toBe(false)
    expect(covers(held, { from: 100, to: 1_001 }, 100)).toBe(false)
  })
})
