import { joined } from '#shared/joined'

/** Number of newest lines that are always kept: many screens, drawn within milliseconds. */
const keptLines = 1_000
/** Number of lines kept around a line with other control characters, which may have moved the cursor to them. */
const keptAround = 200

const [tab, lineFeed, carriageReturn, escape] = [0x09, 0x0a, 0x0d, 0x1b]
const [setsAttributes, erasesInLine] = [0x6d, 0x4b]

/** Returns the start of the last `lines` lines, the last of which may be unfinished; 0 if there are fewer. */
function startOfLast(bytes: Uint8Array, lines: number): number {
  let at = bytes.length
  for (let count = 0; count <= lines && at > 0; count += 1) at = bytes.lastIndexOf(lineFeed, at - 1)
  return Math.max(0, at + 1)
}

/** Returns the end of a sequence of attributes (SGR) or erasing in a line (EL); null for any other or a cut sequence. */
function endOfSequence(bytes: Uint8Array, start: number): number | null {
  if (bytes[start + 1] !== 0x5b) return null
  let at = start + 2
  // Digits, colon and semicolon.
  for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte <= 0x3b; byte = bytes[at] ?? 0) at += 1
  return bytes[at] === setsAttributes || bytes[at] === erasesInLine ? at + 1 : null
}

/** Returns whether a byte prints or moves within the line. In UTF-8, 0xC2 starts the control characters up to 0x9F. */
const isText = (byte: number, next: number): boolean =>
  byte === 0xc2 ? next > 0x9f : (byte >= 0x20 && byte !== 0x7f) || byte === tab || byte === carriageReturn

/** Returns the attributes that a line sets; null if it contains anything other than attributes and text. */
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

/** Returns whether attributes are `ESC [ m` or `ESC [ 0 m`, which cancel all earlier attributes. */
const isReset = (attributes: Uint8Array): boolean =>
  attributes.length === 3 || (attributes.length === 4 && attributes[2] === 0x30)

interface Remaining {
  readonly bytes: Uint8Array
  readonly leftOut: number
}

/**
 * Leaves out whole lines of text, except the newest thousand, so that the last screen is the same. Keeps:
 * - the attributes that the lines set,
 * - each line with other control characters, with `keptAround` lines before and after it,
 * - the first lines, because such a line may precede them,
 * - the unfinished lines at both ends, so that no control sequence is cut.
 */
export function withoutPlainLines(bytes: Uint8Array): Remaining {
  // The lines right before `until` are kept too.
  const until = startOfLast(bytes, keptLines - keptAround)
  const begin = bytes.indexOf(lineFeed) + 1
  if (begin === 0 || begin >= until) return { bytes, leftOut: 0 }
  const kept = [bytes.subarray(0, begin)]
  let inForce: Uint8Array[] = []
  /** Ring buffers of the newest plain lines, which are kept if the next line is kept: their starts and attributes. */
  const starts = new Uint32Array(keptAround)
  const ringAttributes: (readonly Uint8Array[])[] = []
  let inRing = 0
  let next = 0
  /** Number of lines still to keep after a line with other control characters. */
  let keepNext = keptAround
  let leftOut = 0
  const startOfRing = (fallback: number): number =>
    inRing === 0 ? fallback : (starts[(next - inRing + keptAround) % keptAround] ?? 0)
  for (let start = begin; start < until;) {
    const end = bytes.indexOf(lineFeed, start) + 1
    const attributes = attributesOf(bytes, start)
    if (attributes === null || keepNext > 0) {
      kept.push(...inForce, bytes.subarray(startOfRing(start), end))
      inForce = []
      inRing = 0
      keepNext = attributes === null ? keptAround : keepNext - 1
    } else {
      if (inRing < keptAround) inRing += 1
      else {
        leftOut += 1
        for (const sequence of ringAttributes[next] ?? []) {
          if (isReset(sequence)) inForce = []
          inForce.push(sequence)
        }
      }
      starts[next] = start
      ringAttributes[next] = attributes
      next = (next + 1) % keptAround
    }
    start = end
  }
  const remaining = joined(Uint8Array, [...kept, ...inForce, bytes.subarray(startOfRing(until))])
  return { bytes: remaining, leftOut }
}

/** Returns the visible text at the end of a line, after its last tab or carriage return. */
function endOfText(bytes: Uint8Array, start: number, end: number): string {
  const visible: number[] = []
  for (let at = start; at < end;) {
    const byte = bytes[at] ?? 0
    if (byte === escape) {
      at = endOfSequence(bytes, at) ?? end
      continue
    }
    if (byte === tab || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) visible.length = 0
    else visible.push(byte)
    at += 1
  }
  return new TextDecoder().decode(Uint8Array.from(visible)).trim()
}

/** Returns the first line start from `from` on that follows a whole line of text, with that text's end; null if none. */
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

/** Returns the last whole line with the line feed before it and the unfinished line after it. */
export const lastWholeLine = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(Math.max(0, startOfLast(bytes, 1) - 1))
