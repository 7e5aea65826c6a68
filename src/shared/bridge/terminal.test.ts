import { expect, it } from 'vitest'
import { inputPieces } from './terminal'

it('long input is split into pieces without splitting a character', () => {
  const pasted = `x${'🚀'.repeat(40_000)}`
  const pieces = inputPieces(pasted)
  expect(pieces.length).toBe(5)
  expect(pieces.map((piece) => Buffer.from(piece).toString()).join('')).toBe(pasted)
  expect(inputPieces('')).toEqual([])
})

it('a lone surrogate is kept', () => {
  expect(inputPieces('\uD83D')).toEqual(['\uD83D'])
  expect(inputPieces(`${'a'.repeat(40_000)}\uD83D`).join('')).toBe(`${'a'.repeat(40_000)}\uD83D`)
})
