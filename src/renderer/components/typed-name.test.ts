import { expect, it } from 'vitest'
import { isTypedName, nameToType } from './typed-name'

it('only the visible name confirms', () => {
  expect(isTypedName('node-a', 'node-a')).toBe(true)
  expect(isTypedName('Node-a', 'node-a')).toBe(false)
  expect(isTypedName('node', 'node-a')).toBe(false)
})

it.each(['node a ', 'node  a', ' node\u00A0a', 'node a\u200B', 'no\u202Ede a', 'node\u0007 a'])(
  '%j is confirmed without its invisible characters',
  (name) => {
    expect(isTypedName('node a', name)).toBe(true)
  },
)

it.each(['', '  ', '\u200B\u2066'])('the invisible name %j is confirmed by the id', (name) => {
  expect(nameToType({ id: 'm-1', name })).toBe('m-1')
  expect(isTypedName('', name)).toBe(false)
})
