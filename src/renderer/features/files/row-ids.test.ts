import { expect, it } from 'vitest'
import { rowIds } from './row-ids'

it('rows keep their ids when a folder with new, removed or repeated names is listed again', () => {
  const idsOf = rowIds()
  const [a, b, again] = idsOf(['a', 'b', 'a'])
  expect(new Set([a, b, again]).size).toBe(3)
  const [first, fresh, second] = idsOf(['a', 'a new one', 'a'])
  expect([first, second]).toEqual([a, again])
  expect([a, b, again]).not.toContain(fresh)
  expect(idsOf(['b'])).toEqual([b])
})
