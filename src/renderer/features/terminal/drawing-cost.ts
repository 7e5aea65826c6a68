/** Drawing cost of each byte, in units of one letter (about 25 ns). A line feed moves the whole screen. */
const costs = new Uint16Array(256).fill(1).fill(4, 0x80)
costs[0x0a] = 32
// The first byte of the control characters 0x80 to 0x9F in UTF-8.
costs[0xc2] = 60

/** Cost of a control sequence by its final byte. Attributes and cursor moves are cheap; screens and modes are not. */
const costsByFinal = new Uint16Array(128).fill(300).fill(10_000, 0, 0x40)
const set = (finals: string, cost: number): void => {
  for (const final of finals) costsByFinal[final.charCodeAt(0)] = cost
}
set('mKABCDEFGHdf', 32)
set('J', 2_000)
set('hl', 2_500)
/** Final bytes of sequences that move a number of lines. */
const lineMovers = new Set(Array.from('SLMT', (final) => final.charCodeAt(0)))
const costOfLine = 150
/** Cost of sequences that redraw the whole screen (ESC c, ESC # 8), and of unknown sequences. */
const costOfScreen = 10_000
const maxParameterBytes = 32

/** Returns the cost of the control sequence whose parameters begin at `start`. */
function costOfSequence(bytes: Uint8Array, start: number): number {
  let number = 0
  let largest = 1
  let at = start
  for (let byte = bytes[at] ?? 0; byte >= 0x20 && byte < 0x40; byte = bytes[at] ?? 0) {
    number = byte >= 0x30 && byte <= 0x39 ? number * 10 + byte - 0x30 : 0
    largest = Math.max(largest, number)
    at += 1
    if (at - start > maxParameterBytes) return costOfScreen
  }
  const final = bytes[at] ?? 0
  return lineMovers.has(final)
    ? Math.min(costOfLine * largest, 4 * costOfScreen)
    : (costsByFinal[final] ?? 300)
}

/** Returns the cost of a byte. The first byte carries the cost of its sequence; incomplete sequences are expensive. */
export function drawingCost(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0
  const next = bytes[at + 1] ?? 0
  if (byte === 0x1b) {
    if (next === 0x5b) return costOfSequence(bytes, at + 2)
    return next < 0x20 || next === 0x23 || next === 0x63 ? costOfScreen : 300
  }
  return byte === 0xc2 && next === 0x9b ? costOfSequence(bytes, at + 2) : (costs[byte] ?? 0)
}

/** Returns the end of a run of printable ASCII, which costs 1 per byte. Looking up each byte would add a tenth to drawing. */
export function endOfLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; at < end && byte >= 0x20 && byte < 0x7f; byte = bytes[at] ?? 0) at += 1
  return at
}
