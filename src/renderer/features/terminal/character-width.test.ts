// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it } from 'vitest'
import { columnsInBash, columnsInTmux } from '../../../../test/fixtures/measured-columns'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { useMachineWidths } from './character-width'

/** Returns the columns that the cursor of our terminal advances for each text. */
async function columnsHere(texts: readonly string[]): Promise<readonly number[]> {
  const terminal = new Terminal({ cols: 200, rows: 20, allowProposedApi: true })
  useMachineWidths(terminal)
  const columns: number[] = []
  for (const text of texts) {
    await new Promise<void>((resolve) => terminal.write(`\r\x1b[2K${text}`, resolve))
    columns.push(terminal.buffer.active.cursorX)
  }
  terminal.dispose()
  return columns
}

const scripts: Readonly<Record<string, string>> = {
  Latin: 'abc',
  'Latin with an accent': 'café',
  'Latin decomposed': 'cafe\u0301',
  Vietnamese: 'e\u0302\u0301',
  Thai: 'กำ',
  'Thai with marks': 'น้ำ',
  'Thai word': 'สวัสดี',
  Lao: 'ນ້ຳ',
  Khmer: 'ខ្មែរ',
  Burmese: 'မြန်မာ',
  Hindi: 'नमस्ते',
  'Hindi conjunct': 'क्षि',
  Tamil: 'தமிழ்',
  Bengali: 'বাংলা',
  Malayalam: 'മലയാളം',
  Tibetan: 'བོད་ཡིག',
  Hebrew: 'שָׁלוֹם',
  Arabic: 'مُحَمَّد',
  'Arabic number': '\u0600\u0661',
  Persian: 'نمی\u200cخواهم',
  Hangul: '한국어',
  'Hangul decomposed': '한글'.normalize('NFD'),
  'half-width Hangul': 'ﾡﾢ',
  Kana: 'ガ',
  'Kana decomposed': 'カ\u3099',
  'half-width kana': 'ｶﾀｶﾅ',
  'half-width kana, voiced': 'ｶﾞ',
  'half-width kana, semi-voiced': 'ﾊﾟ',
  'full-width Latin': 'ＡＢ',
  Han: '漢字',
  'Han of plane 2': '𠮷',
  'Han of plane 3': '𰀀',
  'Han with a variant': '葛\u{e0100}',
  Yijing: '䷀',
  Tangut: '𗀀',
  'old kana': '𛀁',
  'ambiguous width': '①αЖ§…',
  'box drawing': '─│┌',
  Braille: '⠿',
  'private use': '\ue0b0\uf489\u{f0001}',
  'soft hyphen': 'a\u00adb',
  'no-break marks': 'a\u200b\u2060\ufeffb',
}
const emoji: Readonly<Record<string, string>> = {
  'of Unicode 6': '😀',
  'of Unicode 12': '🟢',
  'of Unicode 13': '🪄',
  'of Unicode 14': '🫠',
  'of the basic plane': '✅⌛',
  'by default as text': '❤⚠',
  'a tile': '🀄',
  'a square': '🆗',
  'a tone': '🏽',
  'a flag': '🇩🇪',
  'two flags': '🇯🇵🇺🇸',
  'half a flag': '🇩',
}
/** tmux joins some of these from 3.3 on; versions differ. */
const joined: Readonly<Record<string, string>> = {
  family: '👨‍👩‍👧‍👦',
  couple: '👩‍❤️‍👨',
  profession: '👩‍💻',
  'profession with a tone': '👩🏽‍💻',
  tone: '👍🏽',
  'rainbow flag': '🏳️‍🌈',
  'pirate flag': '🏴‍☠️',
  'flag of England': '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'shown as emoji': '❤️⚠️☀️',
  keycap: '1️⃣#️⃣',
}

const byName = (samples: Readonly<Record<string, string>>, columns: readonly number[]) =>
  Object.fromEntries(Object.keys(samples).map((name, at) => [name, columns[at]]))

describeWith(['tmux'], 'columns of characters in our terminal', () => {
  it('equal those of bash’s line editor, including joined emoji', async () => {
    const samples = { ...scripts, ...emoji, ...joined }
    const texts = Object.values(samples)
    expect(byName(samples, await columnsHere(texts))).toEqual(byName(samples, await columnsInBash(texts)))
  })

  it('equal those of tmux for every script and single emoji', async () => {
    const samples = { ...scripts, ...emoji }
    const texts = Object.values(samples)
    expect(byName(samples, await columnsHere(texts))).toEqual(byName(samples, await columnsInTmux(texts)))
  })
})
