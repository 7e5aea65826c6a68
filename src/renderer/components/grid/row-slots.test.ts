import { describe, expect, it } from 'vitest'
import { rowSlots } from './row-slots'

describe('rowSlots', () => {
  const from = new Map([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ])
  const slots = (ids: readonly string[], focused: string | null = null) => [...rowSlots(from, ids, focused)]

  it('keeps the slots of rows that stay', () =>
    expect(slots(['c', 'a', 'b'])).toEqual([
      ['c', 2],
      ['a', 0],
      ['b', 1],
    ]))
  it('reuses free slots in list order and adds slots for more rows', () =>
    expect(slots(['x', 'b', 'y', 'z', 'w'])).toEqual([
      ['x', 0],
      ['b', 1],
      ['y', 2],
      ['z', 3],
      ['w', 4],
    ]))
  it('drops the slot of a removed row', () => expect(slots(['b'])).toEqual([['b', 1]]))
  it('never reuses the slot of the focused row', () => {
    expect(slots(['x', 'y', 'c'], 'a')).toEqual([
      ['x', 1],
      ['y', 3],
      ['c', 2],
    ])
    expect(slots(['x', 'a'], 'a')).toEqual([
      ['x', 1],
      ['a', 0],
    ])
  })
})
