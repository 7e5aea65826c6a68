import { describe, expect, it } from 'vitest'
import { createEmitter } from './emitter'

describe('an emitter', () => {
  it('calls its listeners in order until they are removed', () => {
    const emitter = createEmitter<number>()
    const seen: string[] = []
    const remove = emitter.on((value) => seen.push(`first ${value}`))
    emitter.on((value) => seen.push(`second ${value}`))
    emitter.emit(1)
    remove()
    emitter.emit(2)
    expect(seen).toEqual(['first 1', 'second 1', 'second 2'])
  })

  it('treats the same function as separate listeners if it is added twice', () => {
    const emitter = createEmitter<number>()
    const seen: number[] = []
    const listener = (value: number) => seen.push(value)
    const remove = emitter.on(listener)
    emitter.on(listener)
    remove()
    emitter.emit(1)
    expect(seen).toEqual([1])
  })

  it('calls all listeners if one throws, and rethrows the error', () => {
    const emitter = createEmitter<number>()
    const seen: number[] = []
    emitter.on(() => {
      throw new Error('broken listener')
    })
    emitter.on((value) => seen.push(value))
    expect(() => emitter.emit(1)).toThrow('broken listener')
    expect(seen).toEqual([1])
  })
})
