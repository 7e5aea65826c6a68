import { expect, it } from 'vitest'
import { keysOf } from './unreadable'

it('the keys of a page keep its order, unreadable records included', () => {
  const unreadable = [
    { index: 0, id: 'x', text: '{}' },
    { index: 2, id: null, text: 'odd' },
  ]
  const items = [{ id: 'a' }, { id: 'b' }]
  expect(keysOf({ items, unreadable, total: 4 })).toEqual(['x', 'a', '\0odd', 'b'])
})
