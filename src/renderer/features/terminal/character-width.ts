import type { IUnicodeVersionProvider, Terminal } from '@xterm/xterm'

/** Combining marks, format characters, and Hangul vowels and final consonants, which join the syllable's first letter. */
const noColumn = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u

/** Format characters that programs count as one column: the soft hyphen, and signs around the digits of a number. */
const visibleFormat =
  /[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]|\p{Regional_Indicator}/u

/** Wide and fullwidth characters of UAX #11 (Unicode 16), with the unassigned characters of their blocks. */
const twoColumns =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d0f}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u

function columnsOf(codePoint: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(codePoint)
  if (visibleFormat.test(character)) return 1
  if (noColumn.test(character)) return 0
  return twoColumns.test(character) ? 2 : 1
}

/** Cached columns of the two lowest planes; -1: not computed yet. */
const computed = new Int8Array(0x20000).fill(-1)

function wcwidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x7f) return codePoint < 0x20 ? 0 : 1
  if (codePoint < 0xa0) return 0
  const known = computed[codePoint]
  if (known === 0 || known === 1 || known === 2) return known
  const columns = columnsOf(codePoint)
  computed[codePoint] = columns
  return columns
}

/** Columns as glibc's wcwidth(3) counts them: joined emoji are as wide as their parts (docs/terminals.md). */
const machineWidths: IUnicodeVersionProvider = {
  version: 'wcwidth',
  wcwidth,
  // In xterm.js's property, bits 1 and 2 hold the width; bit 0 joins the character to the previous character.
  charProperties(codePoint, preceding) {
    const columns = wcwidth(codePoint)
    const previous = (preceding >> 1) & 3
    return columns === 0 && previous > 0 ? (previous << 1) | 1 : columns << 1
  },
}

/** Makes a terminal count columns as the programs of a machine do. */
export function useMachineWidths({ unicode }: Pick<Terminal, 'unicode'>): void {
  unicode.register(machineWidths)
  unicode.activeVersion = machineWidths.version
}
