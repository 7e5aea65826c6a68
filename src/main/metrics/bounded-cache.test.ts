import { describe, expect, it } from 'vitest'
import { bounded } from './bounded-cache'

const memory = () => bounded<string>(10, (value) => value.length)

describe('a bounded cache', () => {
  it('drops the least recently used value when it is full', () => {
    const kept = memory()
    kept.set('a/1', 'xxxx')
    kept.set('a/2', 'yyyy')
    kept.get('a/1')
    kept.set('b/1', 'zzzz')
    expect([kept.get('a/1'), kept.get('a/2'), kept.get('b/1')]).toEqual(['xxxx', undefined, 'zzzz'])
    expect(kept.size()).toBe(8)
  })

  it('always keeps the newest value, however large', () => {
    const kept = memory()
    kept.set('a', 'x')
    kept.set('b', 'y'.repeat(20))
    expect([kept.get('a'), kept.get('b')?.length]).toEqual([undefined, 20])
    kept.set('b', 'y')
    expect(kept.size()).toBe(1)
  })

  it('drops the values of an account', () => {
    const kept = memory()
    kept.set('a/1', 'x')
    kept.set('b/1', 'y')
    kept.forget('a/')
    expect([kept.get('a/1'), kept.get('b/1'), kept.size()]).toEqual([undefined, 'y', 1])
  })
})
