/** What drawing takes, as a multiple of a letter's some 25 ns. A line feed moves the whole screen. */
const costs = new Uint16Array(256).fill(1).fill(4, 0x80)
costs[0x0a] = 32
// In UTF-8 the control characters of 0x80 to 0x9F begin so.
costs[0xc2] = 60

/** Of a control sequence, by its final byte: attributes and the cursor are set at once, a screen or mode is not. */
const costsByFinal = new Uint16Array(128).fill(300).fill(10_000, 0, 0x40)
const set = (finals: string, cost: number): void => {
  for (const final of finals) costsByFinal[final.charCodeAt(0)] = cost
}
set('mKABCDEFGHdf', 32)
set('J', 2_000)
set('hl', 2_500)
/** Of those that move lines, for each line. */
const lineMovers = new Set(Array.from('SLMT', (final) => final.charCodeAt(0)))
const costOfLine = 150
/** Of those after which the whole screen is another (ESC c, ESC # 8), and of what is not known. */
const costOfScreen = 10_000
const mostParameters = 32

/** Of the control sequence whose parameters begin there. */
function costOfSequence(bytes: Uint8Array, start: number): number {
  let number = 0
  let largest = 1
  let at = start
  for (let byte = bytes[at] ?? 0; byte >= 0x20 && byte < 0x40; byte = bytes[at] ?? 0) {
    number = byte >= 0x30 && byte <= 0x39 ? number * 10 + byte - 0x30 : 0
    largest = Math.max(largest, number)
    at += 1
    if (at - start > mostParameters) return costOfScreen
  }
  const final = bytes[at] ?? 0
  return lineMovers.has(final)
    ? Math.min(costOfLine * largest, 4 * costOfScreen)
    : (costsByFinal[final] ?? 300)
}

/**
 * What drawing the byte there takes. That of a control sequence counts for its first byte; one that is cut off, or has
 * control characters within, counts as if it were costly.
 */
export function drawingCost(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  const next = bytes[at + 1] ?? 0
  if (byte === 0x1b) {
    if (next === 0x5b) return costOfSequence(bytes, at + 2)
    return next < 0x20 || next === 0x23 || next === 0x63 ? costOfScreen : 300
  }
  return byte === 0xc2 && next === 0x9b ? costOfSequence(bytes, at + 2) : (costs[byte] ?? 0)
}

/**
 * Where letters of ASCII end, which cost one each: most of what is printed, and looked up one by one they take the window
 * a tenth as long as drawing them does.
 */
export function endOfLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; at < end && byte >= 0x20 && byte < 0x7f; byte = bytes[at] ?? 0) at += 1
  return at
}
