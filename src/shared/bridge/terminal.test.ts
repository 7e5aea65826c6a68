import { expect, it } from 'vitest'
import { inputPieces } from './terminal'

it('cuts long input into pieces that each can be encoded by itself', () => {
  const pasted = `x${'🚀'.repeat(40_000)}`
  const pieces = inputPieces(pasted)
  expect(pieces.length).toBe(5)
  expect(pieces.map((piece) => Buffer.from(piece).toString()).join('')).toBe(pasted)
  expect(inputPieces('')).toEqual([])
})

it('keeps half a character that is no other half of', () => {
  expect(inputPieces('\uD83D')).toEqual(['\uD83D'])
  expect(inputPieces(`${'a'.repeat(40_000)}\uD83D`).join('')).toBe(`${'a'.repeat(40_000)}\uD83D`)
})
