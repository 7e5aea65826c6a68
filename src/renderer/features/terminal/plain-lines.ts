import { joined } from '#shared/joined'

/** Lines that are kept in any case, the newest: many screens full, and drawn within milliseconds. */
const keptLines = 1_000
/**
 * Lines that are kept before one with other control characters, which may leave them on screen beside what is written
 * from then on, and behind it: it may have moved the cursor to where they are written.
 */
const keptAround = 200

const [tab, lineFeed, carriageReturn, escape] = [0x09, 0x0a, 0x0d, 0x1b]
const [setsAttributes, erasesInLine] = [0x6d, 0x4b]

/** Where the last lines begin, of which the very last need not have ended; 0 where there are no more. */
function startOfLast(bytes: Uint8Array, lines: number): number {
  let at = bytes.length
  for (let count = 0; count <= lines && at > 0; count += 1) at = bytes.lastIndexOf(lineFeed, at - 1)
  return Math.max(0, at + 1)
}

/**
 * Where the attributes (SGR) or the erasing within a line (EL) that begin there end; null: it is another control
 * sequence, or one that is cut off.
 */
function endOfSequence(bytes: Uint8Array, start: number): number | null {
  if (bytes[start + 1] !== 0x5b) return null
  let at = start + 2
  // Digits, colon and semicolon.
  for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte <= 0x3b; byte = bytes[at] ?? 0) at += 1
  return bytes[at] === setsAttributes || bytes[at] === erasesInLine ? at + 1 : null
}

/** Whether it prints, or moves within the line. In UTF-8 0xC2 begins the control characters up to 0x9F. */
const isText = (byte: number, next: number): boolean =>
  byte === 0xc2 ? next > 0x9f : (byte >= 0x20 && byte !== 0x7f) || byte === tab || byte === carriageReturn

/** The attributes that a line sets; null where it holds anything but these and text. */
function attributesOf(bytes: Uint8Array, start: number): readonly Uint8Array[] | null {
  const attributes: Uint8Array[] = []
  for (let at = start; bytes[at] !== lineFeed;) {
    if (bytes[at] === escape) {
      const end = endOfSequence(bytes, at)
      if (end === null) return null
      if (bytes[end - 1] === setsAttributes) attributes.push(bytes.subarray(at, end))
      at = end
    } else if (isText(bytes[at] ?? 0, bytes[at + 1] ?? 0)) at += 1
    else return null
  }
  return attributes
}

/** `ESC [ m`, `ESC [ 0 m`: what was set before it is of no effect. */
const isReset = (attributes: Uint8Array): boolean =>
  attributes.length === 3 || (attributes.length === 4 && attributes[2] === 0x30)

/**
 * Leaves out whole lines of text, but for the newest thousand. Their attributes stay in force. Every line with another
 * control character stays with a screen of lines before and behind it; so do the lines at the beginning, as such a line
 * may have been the last before them, the rest of a line that had begun before, and one that has not ended: no control
 * sequence is cut, and the last screen is the same.
 */
export function withoutPlainLines(bytes: Uint8Array): Uint8Array {
  // The last lines before these are kept too.
  const until = startOfLast(bytes, keptLines - keptAround)
  const begin = bytes.indexOf(lineFeed) + 1
  if (begin === 0 || begin >= until) return bytes
  const kept = [bytes.subarray(0, begin)]
  let inForce: Uint8Array[] = []
  /** The newest lines of text, which stay if the next one does. */
  const before: { readonly start: number; readonly attributes: readonly Uint8Array[] }[] = []
  let behind = keptAround
  for (let start = begin; start < until;) {
    const end = bytes.indexOf(lineFeed, start) + 1
    const attributes = attributesOf(bytes, start)
    if (attributes === null || behind > 0) {
      kept.push(...inForce, bytes.subarray(before[0]?.start ?? start, end))
      inForce = []
      before.length = 0
      behind = attributes === null ? keptAround : behind - 1
    } else if (before.push({ start, attributes }) > keptAround)
      for (const one of before.shift()?.attributes ?? []) {
        if (isReset(one)) inForce = []
        inForce.push(one)
      }
    start = end
  }
  return joined(Uint8Array, [...kept, ...inForce, bytes.subarray(before[0]?.start ?? until)])
}
