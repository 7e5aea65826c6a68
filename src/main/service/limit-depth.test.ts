import { expect, it } from 'vitest'
import { withoutDepths } from './limit-depth'

const inLists = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : [inLists(levels - 1, inner)]

it('a value that is not nested too deep stays the same object', () => {
  const value = { a: [{ b: null }, inLists(57, 'deep')], c: 1 }
  expect(withoutDepths(value)).toBe(value)
})

it('a value that is nested too deep is replaced by a mark, the rest stays', () => {
  const usual = { tags: ['a'] }
  const value: unknown = JSON.parse(
    `{"__proto__": ${JSON.stringify(inLists(70, 1))}, "usual": {"tags": ["a"]}, "constructor": null}`,
  )
  const cut = withoutDepths(value)
  expect(JSON.stringify(cut)).toBe(
    JSON.stringify(
      Object.fromEntries([
        ['__proto__', inLists(59, '…')],
        ['usual', usual],
        ['constructor', null],
      ]),
    ),
  )
  expect(Object.getPrototypeOf(cut)).toBe(Object.prototype)
  expect(JSON.stringify(value)).not.toContain('…')
})

it('each value is visited once, however deep its neighbours are', () => {
  let reads = 0
  const wide = new Proxy([...Array.from({ length: 1_000 }, () => []), inLists(10, [])], {
    get(values, key, self): unknown {
      reads += 1
      return Reflect.get(values, key, self)
    },
  })
  const cut = withoutDepths(inLists(55, wide))
  expect(JSON.stringify(cut)).toBe(JSON.stringify(inLists(55, [...wide.slice(0, -1), inLists(4, '…')])))
  expect(reads).toBeLessThan(10 * wide.length)
})
