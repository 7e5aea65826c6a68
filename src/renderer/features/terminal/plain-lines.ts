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

interface Remaining {
  readonly bytes: Uint8Array
  /** Lines. */
  readonly leftOut: number
}

/**
 * Leaves out whole lines of text, but for the newest thousand. Their attributes stay in force. Every line with another
 * control character stays with a screen of lines before and behind it; so do the lines at the beginning, as such a line
 * may have been the last before them, the rest of a line that had begun before, and one that has not ended: no control
 * sequence is cut, and the last screen is the same.
 */
export function withoutPlainLines(bytes: Uint8Array): Remaining {
  // The last lines before these are kept too.
  const until = startOfLast(bytes, keptLines - keptAround)
  const begin = bytes.indexOf(lineFeed) + 1
  if (begin === 0 || begin >= until) return { bytes, leftOut: 0 }
  const kept = [bytes.subarray(0, begin)]
  let inForce: Uint8Array[] = []
  /** Where the newest lines of text begin, which stay if the next one does, and their attributes: rings. */
  const starts = new Uint32Array(keptAround)
  const attributesBefore: (readonly Uint8Array[])[] = []
  let before = 0
  let next = 0
  let behind = keptAround
  let leftOut = 0
  const startOfBefore = (otherwise: number): number =>
    before === 0 ? otherwise : (starts[(next - before + keptAround) % keptAround] ?? 0)
  for (let start = begin; start < until;) {
    const end = bytes.indexOf(lineFeed, start) + 1
    const attributes = attributesOf(bytes, start)
    if (attributes === null || behind > 0) {
      kept.push(...inForce, bytes.subarray(startOfBefore(start), end))
      inForce = []
      before = 0
      behind = attributes === null ? keptAround : behind - 1
    } else {
      if (before < keptAround) before += 1
      else {
        leftOut += 1
        for (const one of attributesBefore[next] ?? []) {
          if (isReset(one)) inForce = []
          inForce.push(one)
        }
      }
      starts[next] = start
      attributesBefore[next] = attributes
      next = (next + 1) % keptAround
    }
    start = end
  }
  const remaining = joined(Uint8Array, [...kept, ...inForce, bytes.subarray(startOfBefore(until))])
  return { bytes: remaining, leftOut }
}

/** What a line of text shows at its end, behind the last place where it moves. */
function endOfText(bytes: Uint8Array, start: number, end: number): string {
  const shown: number[] = []
  for (let at = start; at < end;) {
    const byte = bytes[at] ?? 0
    if (byte === escape) {
      at = endOfSequence(bytes, at) ?? end
      continue
    }
    if (byte === tab || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) shown.length = 0
    else shown.push(byte)
    at += 1
  }
  return new TextDecoder().decode(Uint8Array.from(shown)).trim()
}

/**
 * Where, from there on, the first line begins behind one of text that is whole in these bytes, and what that one shows
 * at its end; null: none does.
 */
export function lineBehindText(bytes: Uint8Array, from: number): { at: number; text: string } | null {
  for (let start = bytes.indexOf(lineFeed) + 1; start > 0;) {
    const end = bytes.indexOf(lineFeed, start) + 1
    if (end >= from && end > 0 && attributesOf(bytes, start) !== null) {
      const text = endOfText(bytes, start, end)
      if (text !== '') return { at: end, text }
    }
    start = end
  }
  return null
}

/** The last whole line and what has begun behind it, with the line feed before it. */
export const lastWholeLine = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(Math.max(0, startOfLast(bytes, 1) - 1))
