import { describe, expect, it } from 'vitest'
import { covers } from './held-views'

describe('the held views of a machine', () => {
  const held = { range: { from: 0, to: 1_000 }, part: 1, views: new Map() }
  it('cover zoom steps for which their resolution suffices', () => {
    expect(covers(held, { from: 200, to: 600 }, 400)).toBe(true)
    expect(covers(held, { from: 200, to: 599 }, 400)).toBe(false)
  })
  it('do not cover ranges outside their own', () => {
    expect(covers(held, { from: -1, to: 900 }, 100)).toBe(false)
    expect(covers(held, { from: 100, to: 1_001 }, 100)).toBe(false)
  })
})
