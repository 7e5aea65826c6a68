import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { seal, unseal } from './sealed-file'

const key = randomBytes(32).toString('hex')
const text = 'machines: 学习, train-1'

it('a sealed text opens with its key and name only, and shows nothing of itself', () => {
  const sealed = seal(key, 'a', text)
  expect(unseal(key, 'a', sealed)).toBe(text)
  expect(unseal(key, 'b', sealed)).toBeUndefined()
  expect(unseal(randomBytes(32).toString('hex'), 'a', sealed)).toBeUndefined()
  expect(sealed.toString('latin1')).not.toContain('train')
  expect(seal(key, 'a', text).equals(sealed)).toBe(false)
})

it('an altered, cut or empty file is no text', () => {
  const sealed = seal(key, 'a', text)
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(unseal(key, 'a', altered)).toBeUndefined()
    expect(unseal(key, 'a', sealed.subarray(0, at))).toBeUndefined()
  }
})
