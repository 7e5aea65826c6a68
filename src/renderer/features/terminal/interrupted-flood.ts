import { joined } from '#shared/joined'
import { lastWholeLine, lineBehindText, withoutPlainLines } from './plain-lines'

/** Bytes after an interrupt of which lines are left out: what is on its way, and what is printed before the program ends. */
const mostBytes = 16 * 1024 * 1024
/** Bytes of a line, beyond which it is not looked at together with what follows. */
const mostOfLine = 64 * 1024

const [lineFeed, caret] = [0x0a, 0x5e]

/** Ctrl-C, Ctrl-\ and Ctrl-Z: a system's terminal forgets what it has not printed yet (termios(3), NOFLSH). */
const interrupts = new Set(['\x03', '\x1c', '\x1a'])

/** Where the echo of a key ends, such as `^C`; 0: it is not there. */
function endOfEcho(bytes: Uint8Array, from: number, letter: number): number {
  let at = bytes.indexOf(caret, from)
  while (at >= 0 && bytes[at + 1] !== letter) at = bytes.indexOf(caret, at + 1)
  return at < 0 ? 0 : at + 2
}

/** Stands among what waits where the number of lines that were left out may be drawn. */
export const noticePlace: Uint8Array = new Uint8Array()

/**
 * Leaves lines out of what waits after an interrupt, up to the key's echo: the machine's system throws away what it has
 * not sent yet and echoes the key behind that, so what follows was printed by a program that had the signal.
 */
export function createInterruptedFlood(waiting: Uint8Array[]) {
  /** Bytes of which lines may still be left out. */
  let left = 0
  /** What the echo has behind its `^`. */
  let letter = 0
  let leftOut = 0
  /** What stands before the place of the notice. */
  let textBefore = ''
  /** What came last, from its last whole line on. */
  let recent = new Uint8Array()

  const push = (bytes: Uint8Array): void => {
    if (bytes.length > 0) waiting.push(bytes)
  }

  /** Bytes that were left out of what waits. */
  function leaveOut(): number {
    const own = waiting.filter((one) => one !== noticePlace)
    // What was drawn before stays as it was.
    if (left === 0 || own.length === 0 || own.some(({ length }) => length === 0)) return 0
    const all = joined(Uint8Array, own)
    const remaining = withoutPlainLines(all)
    left = Math.max(0, left - all.length)
    leftOut += remaining.leftOut
    waiting.splice(0, waiting.length, remaining.bytes)
    return all.length - remaining.bytes.length
  }

  return {
    leaveOut,
    /** What is typed: an interrupt of a flood begins to leave out, anything else ends that. */
    typed(text: string, isFlood: boolean): void {
      if (!interrupts.has(text)) left = 0
      else if (isFlood) {
        left = mostBytes
        letter = text.charCodeAt(0) ^ 0x40
        recent = lastWholeLine(waiting.at(-1) ?? new Uint8Array()).slice(-mostOfLine)
      }
    },
    end(): void {
      left = 0
    },
    /** Puts what has come behind what waits; bytes that were left out for it. */
    take(bytes: Uint8Array): number {
      if (bytes.length === 0 || (left === 0 && leftOut === 0)) {
        waiting.push(bytes)
        return 0
      }
      const text = joined(Uint8Array, [recent, bytes])
      const known = recent.length
      recent = lastWholeLine(text).slice(-mostOfLine)
      const echo = left > 0 ? endOfEcho(text, Math.max(0, known - 1), letter) : 0
      if (left > 0 && echo === 0) {
        waiting.push(bytes)
        return 0
      }
      // Behind the line before the echo, where that is still to be drawn.
      const from = echo === 0 ? known : Math.max(known, text.lastIndexOf(lineFeed, echo - 1) + 1)
      const place = lineBehindText(text, from)
      const end = echo === 0 ? known : Math.min(echo, place?.at ?? echo)
      push(text.subarray(known, end))
      const saved = leaveOut()
      left = 0
      if (place === null || leftOut === 0 || waiting.includes(noticePlace)) push(text.subarray(end))
      else {
        push(text.subarray(end, place.at))
        waiting.push(noticePlace)
        textBefore = place.text
        push(text.subarray(place.at))
      }
      return saved
    },
    /** Lines that were left out without a notice yet, and what was printed right before the place of the next one. */
    pending: () => ({ lines: leftOut, textBefore }),
    noticed(lines: number): void {
      leftOut -= lines
    },
  }
}
