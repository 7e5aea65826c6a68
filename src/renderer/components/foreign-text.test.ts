import { describe, expect, it } from 'vitest'
import { foreignText } from './foreign-text'

describe('a text that somebody else wrote', () => {
  it('is shown as it is where it is short and plain', () => {
    const text = 'rack 7\n\tשרת אימון 😀 é'
    expect(foreignText(text)).toBe(text)
  })
  it('ends with an ellipsis where it is longer than the limit', () => {
    expect(foreignText('rack 17', 6)).toBe('rack …')
    expect(foreignText('x'.repeat(1_000_000))).toHaveLength(1_000)
  })
  it('never ends in half a character', () => {
    expect(foreignText('ab😀cd', 4)).toBe('ab…')
  })
  it('shows control characters and overrides of the direction instead of obeying them', () => {
    expect(foreignText('a\u0000b\u001b[31m')).toBe('a\uFFFDb\uFFFD[31m')
    expect(foreignText('photo\u202Egnp.exe')).toBe('photo\uFFFDgnp.exe')
  })
})
