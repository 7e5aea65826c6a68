import { joined } from '#shared/joined'
import { drawingCost, endOfLetters } from './drawing-cost'
import { createInterruptedFlood, noticePlace } from './interrupted-flood'
import { type Drawn, drawLeftOut } from './left-out-notice'
import { scrollback } from './terminal-limits'
import { leaveOutUnseen } from './unseen-lines'

/** Of what is drawn at once, some 15 ms: the page gets its turn between two pieces. xterm's own turns take 12 ms and more. */
const costOfPiece = 600_000

const megabyte = 1024 * 1024
/** What waits costs so much to draw, some 300 ms, and the next message waits in main; but this many bytes may always wait. */
const mostUndrawn = { cost: 12_000_000, least: megabyte, most: 8 * megabyte }
/** From here on lines are left out that nobody can see. It is looked for them each time that half as much has come. */
const farBehind = { cost: 8_000_000, least: 0.75 * megabyte, most: 6 * megabyte }
/** Bytes that cost so much where each costs as much as those that were drawn last. */
const bytesOf = ({ cost, least, most }: typeof mostUndrawn, costOfByte: number): number =>
  Math.min(most, Math.max(least, cost / costOfByte))

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

/** The next piece of what waits, which is taken out of it, with its cost; empty for a mark, null where nothing waits. */
function takePiece(waiting: Uint8Array[]): { readonly piece: Uint8Array; readonly cost: number } | null {
  const parts: Uint8Array[] = []
  let left = costOfPiece
  while (left > 0) {
    const [first] = waiting
    if (first === undefined || (first.length === 0 && parts.length > 0)) break
    if (first.length === 0) {
      waiting.shift()
      return { piece: first, cost: 0 }
    }
    const [length, rest] = fits(first, left)
    parts.push(first.subarray(0, length))
    left = rest
    if (length < first.length) waiting[0] = first.subarray(length)
    else waiting.shift()
  }
  const [only, ...others] = parts
  return only === undefined
    ? null
    : { piece: others.length === 0 ? only : joined(Uint8Array, parts), cost: costOfPiece - left }
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
  /** Bytes that have come since it was looked for lines that nobody can see. */
  let unlooked = 0
  /** Of the last large piece. */
  let costOfByte = 1
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
    const taken = takePiece(waiting)
    if (taken === null) return
    const { piece, cost } = taken
    if (piece.length > largePiece) costOfByte = cost / piece.length
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
          unlooked += bytes.length
          const behind = bytesOf(farBehind, costOfByte)
          if (undrawn >= behind && unlooked >= behind / 2) {
            unlooked = 0
            undrawn -= leaveOutUnseen(waiting, scrollback)
          }
          feed()
          while (undrawn > bytesOf(mostUndrawn, costOfByte))
            await new Promise<void>((resolve) => (wake = resolve))
        }
        while (undrawn > 0) await new Promise<void>((resolve) => (wake = resolve))
      } finally {
        waiting.length = 0
      }
    },
  }
}
