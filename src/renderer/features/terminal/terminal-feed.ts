import { joined } from '#shared/joined'
import { drawingCost, endOfLetters } from './drawing-cost'
import { createInterruptedFlood, noticePlace } from './interrupted-flood'
import { type Drawn, drawLeftOut } from './left-out-notice'

/** Drawing cost of one piece, about 15 ms, between which the page can react. */
const maxPieceCost = 600_000

/** Maximum number of undrawn bytes, beyond which the next message waits in main. */
const maxUndrawnBytes = 1024 * 1024

/**
 * After a piece larger than `largePieceBytes` the next piece waits for `frameMs`, unless `urgentBytes` are waiting. Drawing a
 * frame costs as much processor time as parsing 256 KiB.
 */
const largePieceBytes = 16 * 1024
const frameMs = 33
const urgentBytes = 512 * 1024

/** Number of waiting bytes from which output counts as a flood. */
const floodBytes = 64 * 1024
/** Pause without output that ends a flood, because the key's echo may be off. */
const floodTimeoutMs = 50

/** Returns how many bytes fit into the remaining cost of a piece, and the cost that remains after them. */
function fits(bytes: Uint8Array, budget: number): readonly [length: number, rest: number] {
  let rest = budget
  let at = 0
  while (at < bytes.length && rest > 0) {
    const letters = endOfLetters(bytes, at, Math.min(bytes.length, at + rest))
    rest -= letters - at
    at = letters
    if (at === bytes.length || rest === 0) break
    rest -= drawingCost(bytes, at)
    at += 1
  }
  return [at, rest]
}

/** Removes and returns the next piece of the waiting output; empty for a marker, null if nothing waits. */
function takePiece(waiting: Uint8Array[]): Uint8Array | null {
  const parts: Uint8Array[] = []
  for (let budget = maxPieceCost; budget > 0;) {
    const [first] = waiting
    if (first === undefined || (first.length === 0 && parts.length > 0)) break
    if (first.length === 0) return waiting.shift() ?? null
    const [length, rest] = fits(first, budget)
    parts.push(first.subarray(0, length))
    budget = rest
    if (length < first.length) waiting[0] = first.subarray(length)
    else waiting.shift()
  }
  const [only = null, ...others] = parts
  return others.length === 0 ? only : joined(Uint8Array, parts)
}

/** Passes output to xterm.js piece by piece, without waiting for its timer. Calls `caughtUp` after replayed output. */
export function createFeed(terminal: Drawn, caughtUp: () => void) {
  const waiting: Uint8Array[] = []
  const interrupted = createInterruptedFlood(waiting)
  /** Number of bytes that wait or are being drawn. */
  let undrawn = 0
  let isDrawing = false
  let nextAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let idleSince = 0
  let wake = (): void => undefined

  function drawNotice(): void {
    const { lines, textBefore } = interrupted.pending()
    isDrawing = true
    drawLeftOut(terminal, lines, textBefore, (isDrawn) => {
      isDrawing = false
      if (isDrawn) interrupted.noticed(lines)
      feed()
    })
  }

  function feed(): void {
    clearTimeout(timer)
    if (isDrawing || waiting.length === 0) return
    const wait = nextAt - performance.now()
    if (wait > 0 && undrawn < urgentBytes) {
      timer = setTimeout(feed, wait)
      return
    }
    undrawn -= interrupted.leaveOut()
    const piece = takePiece(waiting)
    if (piece === null) return
    if (piece === noticePlace) return drawNotice()
    isDrawing = true
    nextAt = piece.length > largePieceBytes ? performance.now() + frameMs : 0
    terminal.write(piece, () => {
      isDrawing = false
      undrawn -= piece.length
      if (piece.length === 0) caughtUp()
      if (undrawn === 0) idleSince = performance.now()
      wake()
      feed()
    })
  }

  return {
    /** Handles input by the user or the terminal. An interrupt of a flood leaves out unreadable lines. */
    typed(text: string): void {
      interrupted.typed(text, undrawn > floodBytes && terminal.buffer.active.type === 'normal')
    },
    /** Resolves when all messages are drawn. Fails as the messages do, and then drops undrawn output. */
    async drawAll(messages: AsyncIterable<Uint8Array>): Promise<void> {
      try {
        for await (const bytes of messages) {
          if (undrawn === 0 && performance.now() - idleSince > floodTimeoutMs) interrupted.end()
          undrawn += bytes.length - interrupted.take(bytes)
          feed()
          while (undrawn > maxUndrawnBytes) await new Promise<void>((resolve) => (wake = resolve))
        }
        while (undrawn > 0) await new Promise<void>((resolve) => (wake = resolve))
      } finally {
        waiting.length = 0
      }
    },
  }
}
