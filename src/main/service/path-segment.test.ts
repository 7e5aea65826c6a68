import { describe, expect, it } from 'vitest'
import { seg } from './path-segment'

describe('an id in a path', () => {
  it.each([
    ['vm-1', 'vm-1'],
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['...', '...'],
    ['ä ö', '%C3%A4%20%C3%B6'],
  ])('%j stays one segment: %s', (id, segment) => {
    expect(seg(id)).toBe(segment)
    expect(new URL(`http://x/machines/${segment}/start`).pathname).toBe(`/machines/${segment}/start`)
  })

  it.each(['', '.', '..', 'a\uD800'])('%j, which would change the path, is refused', (id) => {
    expect(() => seg(id)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid-input', field: 'id', reason: 'malformed' } }),
    )
  })
})
