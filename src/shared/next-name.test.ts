import { expect, it } from 'vitest'
import { freeName, nextName, numberedName } from './next-name'

it('continues the number in the name', () => {
  expect(nextName('train', new Set())).toBe('train-2')
  expect(nextName('train-2', new Set(['train-3']))).toBe('train-4')
  expect(nextName('gpu099', new Set())).toBe('gpu100')
  expect(nextName('7', new Set())).toBe('8')
})

it('changes a used name only', () => {
  expect(freeName('train', new Set(['eval']))).toBe('train')
  expect(freeName('train', new Set(['train', 'train-2']))).toBe('train-3')
  expect(freeName('', new Set(['']))).toBe('')
})

it('adds a number to a used name, within a length', () => {
  expect(numberedName(' Training ', new Set(['Eval']), 80)).toBe('Training')
  expect(numberedName('Training', new Set(['Training', 'Training 2']), 80)).toBe('Training 3')
  expect(numberedName('abcdef', new Set(['abcdef']), 6)).toBe('abcd 2')
  expect(numberedName('abc def', new Set(['abc de', 'abc d']), 6)).toBe('abc 2')
})
