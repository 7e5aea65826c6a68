import { expect, it } from 'vitest'
import { isTypedName, nameToType } from './typed-name'

it('takes a name as it is seen, and no other', () => {
  expect(isTypedName('node-a', 'node-a')).toBe(true)
  expect(isTypedName('Node-a', 'node-a')).toBe(false)
  expect(isTypedName('node', 'node-a')).toBe(false)
})

it.each(['node a ', 'node  a', ' node\u00A0a', 'node a\u200B', 'no\u202Ede a', 'node\u0007 a'])(
  'takes %j without what cannot be seen, so that it can be deleted',
  (name) => {
    expect(isTypedName('node a', name)).toBe(true)
  },
)

it.each(['', '  ', '\u200B\u2066'])('asks for the id where the name %j cannot be seen', (name) => {
  expect(nameToType({ id: 'm-1', name })).toBe('m-1')
  expect(isTypedName('', name)).toBe(false)
})
