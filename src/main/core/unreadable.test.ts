import { expect, it } from 'vitest'
import { keysOf } from './unreadable'

it('the keys of a page are in its order, whatever cannot be read', () => {
  const unreadable = [
    { index: 0, id: 'x', text: '{}' },
    { index: 2, id: null, text: 'odd' },
  ]
  const items = [{ id: 'a' }, { id: 'b' }]
  expect(keysOf({ items, unreadable, total: 4 })).toEqual(['x', 'a', '\0odd', 'b'])
})

it('the keys of a page that ignores its limit take as long for each record as those of a short one', () => {
  const items = Array.from({ length: 200_000 }, (_, at) => ({ id: `${at}` }))
  const began = process.cpuUsage()
  expect(keysOf({ items, unreadable: [{ index: 0, id: 'x', text: '' }], total: 200_001 })).toHaveLength(
    200_001,
  )
  const { user } = process.cpuUsage(began)
  expect(user / 1e6).toBeLessThan(1)
})
