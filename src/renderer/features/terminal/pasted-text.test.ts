import { expect, it } from 'vitest'
import { linesOf, needsConsent, withoutControls } from './pasted-text'

it('a pasted text keeps tabs and line breaks, but no other control characters', () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)).join('')
  const printable = Array.from({ length: 0x5f }, (_, at) => String.fromCodePoint(0x20 + at)).join('')
  expect(withoutControls(all)).toBe(`\t\n\r${printable}`)
  expect(withoutControls('\x1b[201~touch x\x0f')).toBe('[201~touch x')
  expect(withoutControls('\x9b201~touch x')).toBe('201~touch x')
  expect(withoutControls('größer 日本 👩‍💻')).toBe('größer 日本 👩‍💻')
})

it.each([
  ['ls', 1, false, false],
  ['ls\n', 1, true, false],
  ['ls\r', 1, true, false],
  ['ls\r\n', 1, true, false],
  ['ls\n\n', 2, true, true],
  ['a\nb', 2, true, true],
  ['a\rb', 2, true, true],
])('%j has %i lines and needs consent: %j, or %j with bracketed paste', (text, lines, plain, marked) => {
  expect([linesOf(text), needsConsent(text, false), needsConsent(text, true)]).toEqual([lines, plain, marked])
})
