import { joined } from '#shared/joined'
import { drawingCost, endOfLetters } from './drawing-cost'
import { createInterruptedFlood, noticePlace } from './interrupted-flood'
import { type Drawn, drawLeftOut } from './left-out-notice'

/** Of what is drawn at once, some 15 ms: the page gets its turn between two pieces. xterm's own turns take 12 ms and more. */
const costOfPiece = 600_000

/** Bytes that wait to be drawn, beyond which the next message waits in main. */
const mostUndrawn = 1024 * 1024

/**
 * After a piece of so many bytes the next one waits for so many milliseconds, unless as much as `fullPiece` is there: a
 * frame takes the processor as long as a quarter of a megabyte takes to be read and placed.
 */
const largePiece = 16 * 1024
const frameTime = 33
const fullPiece = 512 * 1024

/** Bytes that wait where more is printed than can be drawn. */
const flood = 64 * 1024
/** Milliseconds without output that end a flood: the key's echo may be switched off. */
const calm = 50

/** Of which bytes one piece is made, if so much of its cost is left; what is left of that then. */
function fits(bytes: Uint8Array, left: number): readonly [length: number, left: number] {
  let rest = left
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

/** The next piece of what waits, which is taken out of it; empty for a mark, null where nothing waits. */
function takePiece(waiting: Uint8Array[]): Uint8Array | null {
  const parts: Uint8Array[] = []
  for (let left = costOfPiece; left > 0;) {
    const [first] = waiting
    if (first === undefined || (first.length === 0 && parts.length > 0)) break
    if (first.length === 0) return waiting.shift() ?? null
    const [length, rest] = fits(first, left)
    parts.push(first.subarray(0, length))
    left = rest
    if (length < first.length) waiting[0] = first.subarray(length)
    else waiting.shift()
  }
  const [only = null, ...others] = parts
  return others.length === 0 ? only : joined(Uint8Array, parts)
}

/**
 * Hands what comes to xterm, piece after piece: the next one as soon as one is drawn, as xterm waits for a timer each
 * time that it has nothing left. `caughtUp`: all before the empty message is drawn (terminal.screen), and nothing behind
 * it.
 */
export function createFeed(terminal: Drawn, caughtUp: () => void) {
  const waiting: Uint8Array[] = []
  const interrupted = createInterruptedFlood(waiting)
  /** Bytes that wait or are being drawn. */
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
    if (wait > 0 && undrawn < fullPiece) {
      timer = setTimeout(feed, wait)
      return
    }
    undrawn -= interrupted.leaveOut()
    const piece = takePiece(waiting)
    if (piece === null) return
    if (piece === noticePlace) return drawNotice()
    isDrawing = true
    nextAt = piece.length > largePiece ? performance.now() + frameTime : 0
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
    /**
     * What the person types, or the terminal answers. An interrupt of a flood leaves out lines of it that nobody could
     * read; anything else ends that.
     */
    typed(text: string): void {
      interrupted.typed(text, undrawn > flood && terminal.buffer.active.type === 'normal')
    },
    /** Resolves once all that comes is drawn. Fails as the messages do; what is not drawn then never is. */
    async drawAll(messages: AsyncIterable<Uint8Array>): Promise<void> {
      try {
        for await (const bytes of messages) {
          if (undrawn === 0 && performance.now() - idleSince > calm) interrupted.end()
          undrawn += bytes.length - interrupted.take(bytes)
          feed()
          while (undrawn > mostUndrawn) await new Promise<void>((resolve) => (wake = resolve))
        }
        while (undrawn > 0) await new Promise<void>((resolve) => (wake = resolve))
      } finally {
        waiting.length = 0
      }
    },
  }
}
