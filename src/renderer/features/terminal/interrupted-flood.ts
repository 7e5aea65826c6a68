import { joined } from '#shared/joined'
import { lastWholeLine, lineBehindText, withoutPlainLines } from './plain-lines'

/** Maximum output after an interrupt from which lines are left out: output in transit, and until the program ends. */
const maxFloodBytes = 16 * 1024 * 1024
/** Maximum length of an unfinished line that is examined together with the next bytes. */
const maxLineBytes = 64 * 1024

const [lineFeed, caret] = [0x0a, 0x5e]

/** Ctrl-C, Ctrl-\ and Ctrl-Z, at which a terminal discards its unprinted output (termios(3), NOFLSH). */
const interrupts = new Set(['\x03', '\x1c', '\x1a'])

/** Returns the end of the echo of a key, such as `^C`; 0 if there is none. */
function endOfEcho(bytes: Uint8Array, from: number, letter: number): number {
  let at = bytes.indexOf(caret, from)
  while (at >= 0 && bytes[at + 1] !== letter) at = bytes.indexOf(caret, at + 1)
  return at < 0 ? 0 : at + 2
}

/** Marker among the waiting bytes at which the notice about left-out lines may be drawn. */
export const noticePlace: Uint8Array = new Uint8Array()

/**
 * Leaves lines out of the waiting output after an interrupt, up to the key's echo. The machine's system discards its unsent
 * output before it echoes the key, so the output after the echo is a reaction to the signal.
 */
export function createInterruptedFlood(waiting: Uint8Array[]) {
  /** Number of bytes from which lines may still be left out. */
  let budget = 0
  /** Letter after the `^` of the echo. */
  let letter = 0
  let leftOut = 0
  let textBefore = ''
  /** The newest output, from its last whole line on. */
  let recent = new Uint8Array()

  const push = (bytes: Uint8Array): void => {
    if (bytes.length > 0) waiting.push(bytes)
  }

  /** Leaves lines out of the waiting output. Returns the number of removed bytes. */
  function leaveOut(): number {
    const parts = waiting.filter((part) => part !== noticePlace)
    // An empty part marks output that is drawn again, which stays complete.
    if (budget === 0 || parts.length === 0 || parts.some(({ length }) => length === 0)) return 0
    const all = joined(Uint8Array, parts)
    const remaining = withoutPlainLines(all)
    budget = Math.max(0, budget - all.length)
    leftOut += remaining.leftOut
    waiting.splice(0, waiting.length, remaining.bytes)
    return all.length - remaining.bytes.length
  }

  return {
    leaveOut,
    /** Handles the user's input: an interrupt of a flood starts leaving lines out, any other input stops it. */
    typed(text: string, isFlood: boolean): void {
      if (!interrupts.has(text)) budget = 0
      else if (isFlood) {
        budget = maxFloodBytes
        letter = text.charCodeAt(0) ^ 0x40
        recent = lastWholeLine(waiting.at(-1) ?? new Uint8Array()).slice(-maxLineBytes)
      }
    },
    end(): void {
      budget = 0
    },
    /** Appends output to the waiting output. Returns the number of bytes that were left out. */
    take(bytes: Uint8Array): number {
      if (bytes.length === 0 || (budget === 0 && leftOut === 0)) {
        waiting.push(bytes)
        return 0
      }
      const text = joined(Uint8Array, [recent, bytes])
      const known = recent.length
      recent = lastWholeLine(text).slice(-maxLineBytes)
      const echo = budget > 0 ? endOfEcho(text, Math.max(0, known - 1), letter) : 0
      if (budget > 0 && echo === 0) {
        waiting.push(bytes)
        return 0
      }
      // After the line before the echo, if that line is not drawn yet.
      const from = echo === 0 ? known : Math.max(known, text.lastIndexOf(lineFeed, echo - 1) + 1)
      const place = lineBehindText(text, from)
      const end = echo === 0 ? known : Math.min(echo, place?.at ?? echo)
      push(text.subarray(known, end))
      const removed = leaveOut()
      budget = 0
      if (place === null || leftOut === 0 || waiting.includes(noticePlace)) push(text.subarray(end))
      else {
        push(text.subarray(end, place.at))
        waiting.push(noticePlace)
        textBefore = place.text
        push(text.subarray(place.at))
      }
      return removed
    },
    /** Returns the left-out lines without a notice yet, and the text before the next notice. */
    pending: () => ({ lines: leftOut, textBefore }),
    noticed(lines: number): void {
      leftOut -= lines
    },
  }
}
