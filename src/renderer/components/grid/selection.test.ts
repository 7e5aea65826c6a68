import { describe, expect, it } from 'vitest'
import { allOf, extendedTo, nothingChosen, pruned, toggled } from './selection'

const rows = ['a', 'b', 'c', 'd', 'e']
const ids = ({ chosen }: { readonly chosen: ReadonlySet<string> }) => [...chosen].sort()

describe('a selection of rows', () => {
  it('toggles a row', () => {
    const once = toggled(nothingChosen, 'b')
    expect(ids(once)).toEqual(['b'])
    expect(ids(toggled(once, 'b'))).toEqual([])
    expect(ids(nothingChosen)).toEqual([])
  })

  it('extends from the anchor in both directions over the visible rows', () => {
    const begun = toggled(nothingChosen, 'c')
    expect(ids(extendedTo(begun, 'e', rows))).toEqual(['c', 'd', 'e'])
    expect(ids(extendedTo(begun, 'a', rows))).toEqual(['a', 'b', 'c'])
    expect(ids(extendedTo(begun, 'a', ['c', 'a', 'b']))).toEqual(['a', 'c'])
  })

  it('starts with the row itself without a visible anchor', () => {
    expect(ids(extendedTo(nothingChosen, 'd', rows))).toEqual(['d'])
    expect(ids(extendedTo(toggled(nothingChosen, 'x'), 'd', rows))).toEqual(['d', 'x'])
  })

  it('selects all rows and drops removed ones', () => {
    const all = allOf(rows)
    expect(ids(all)).toEqual(rows)
    expect(ids(pruned(all, (id) => id !== 'b'))).toEqual(['a', 'c', 'd', 'e'])
    expect(pruned(all, () => true)).toBe(all)
  })
})
