import { describe, expect, it } from 'vitest'
import { allOf, extendedTo, nothingChosen, pruned, toggled } from './selection'

const rows = ['a', 'b', 'c', 'd', 'e']
const ids = ({ chosen }: { readonly chosen: ReadonlySet<string> }) => [...chosen].sort()

describe('choosing rows', () => {
  it('chooses a row and leaves it out again', () => {
    const once = toggled(nothingChosen, 'b')
    expect(ids(once)).toEqual(['b'])
    expect(ids(toggled(once, 'b'))).toEqual([])
    expect(ids(nothingChosen)).toEqual([])
  })

  it('extends from where it began, in both directions, to what is seen in between', () => {
    const begun = toggled(nothingChosen, 'c')
    expect(ids(extendedTo(begun, 'e', rows))).toEqual(['c', 'd', 'e'])
    expect(ids(extendedTo(begun, 'a', rows))).toEqual(['a', 'b', 'c'])
    expect(ids(extendedTo(begun, 'a', ['c', 'a', 'b']))).toEqual(['a', 'c'])
  })

  it('begins with the row itself where nothing was begun, or the beginning is out of sight', () => {
    expect(ids(extendedTo(nothingChosen, 'd', rows))).toEqual(['d'])
    expect(ids(extendedTo(toggled(nothingChosen, 'x'), 'd', rows))).toEqual(['d', 'x'])
  })

  it('chooses all, and drops what is not there any more', () => {
    const all = allOf(rows)
    expect(ids(all)).toEqual(rows)
    expect(ids(pruned(all, (id) => id !== 'b'))).toEqual(['a', 'c', 'd', 'e'])
    expect(pruned(all, () => true)).toBe(all)
  })
})
