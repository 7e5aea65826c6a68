import { describe, expect, it } from 'vitest'
import { foreignText } from './foreign-text'

describe('foreignText', () => {
  it('returns a short, plain text unchanged', () => {
    const text = 'rack 7\n\tשרת אימון 😀 é'
    expect(foreignText(text)).toBe(text)
  })
  it('ends with an ellipsis if the text exceeds the limit', () => {
    expect(foreignText('rack 17', 6)).toBe('rack …')
    expect(foreignText('x'.repeat(1_000_000))).toHaveLength(1_000)
  })
  it('never ends with half of a surrogate pair', () => {
    expect(foreignText('ab😀cd', 4)).toBe('ab…')
  })
  it('replaces control characters and overrides of the direction', () => {
    expect(foreignText('a\u0000b\u001b[31m')).toBe('a\uFFFDb\uFFFD[31m')
    expect(foreignText('photo\u202Egnp.exe')).toBe('photo\uFFFDgnp.exe')
  })
})
