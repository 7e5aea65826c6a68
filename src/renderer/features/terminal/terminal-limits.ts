import type { Terminal } from '@xterm/xterm'

/** Control functions that xterm repeats as often as their number says, up to 2,147,483,647: hours for the window. */
const repeated = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b'] as const

/** Leaves out those that are to be repeated more often than there are rows or columns. */
export function ignoreLargeCounts(terminal: Pick<Terminal, 'parser' | 'cols' | 'rows'>): void {
  for (const final of repeated)
    terminal.parser.registerCsiHandler(
      { final },
      ([count]) => typeof count === 'number' && count > Math.max(terminal.cols, terminal.rows),
    )
}

/** Bytes that are drawn at once: the page gets its turn between two pieces, however long one takes. */
const pieceBytes = 4 * 1024

/**
 * Resolves once all of it is drawn. All pieces are handed over at once: xterm draws them for 12 ms at a time, and whoever
 * waits for each of them waits 4 ms for a timer each time.
 */
export async function draw(terminal: Pick<Terminal, 'write'>, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at + pieceBytes < bytes.length; at += pieceBytes)
    terminal.write(bytes.subarray(at, at + pieceBytes))
  const last = Math.max(0, Math.ceil(bytes.length / pieceBytes) - 1) * pieceBytes
  await new Promise<void>((resolve) => terminal.write(bytes.subarray(last), resolve))
}

/** Bytes that are handed over and not drawn yet, beyond which the next message waits where it can be cancelled. */
const mostUndrawn = 128 * 1024

/**
 * Draws what comes; `caughtUp`: all before the empty message is drawn (terminal.screen), and nothing behind it. A
 * program's messages are often of a few bytes: many are handed over at once, as each time that xterm has nothing left to
 * draw, it waits for a timer.
 */
export async function drawAll(
  terminal: Pick<Terminal, 'write'>,
  messages: AsyncIterable<Uint8Array>,
  caughtUp: () => void,
): Promise<void> {
  let undrawn = 0
  let last = Promise.resolve()
  let wake = (): void => undefined
  for await (const bytes of messages) {
    if (bytes.length === 0) {
      terminal.write(bytes, caughtUp)
      continue
    }
    undrawn += bytes.length
    last = draw(terminal, bytes).then(() => {
      undrawn -= bytes.length
      wake()
    })
    while (undrawn > mostUndrawn) await new Promise<void>((resolve) => (wake = resolve))
  }
  await last
}

/** What a terminal answers by itself: its kind, state, cursor, modes, settings or colours. */
const answer = /^\x1b(?:\[[?>]?[\d;]*(?:c|n|R|\$y)|P[01]\$r|\]\d+;(?:\d+;)?rgb:)/

/** Whether a text is an answer to a program's question, and not typed; F3 with Shift held looks like one. */
export const isAnswer = (text: string): boolean => answer.test(text)

/** Characters of input that may wait for a machine; each message counts for some besides its own. */
const mostWaiting = 8 * 1024 * 1024
const perMessage = 64

/**
 * Sends what is typed, and what a terminal answers by itself: a machine that asks without end, and reads nothing, would
 * fill the window's memory. What comes beyond that is dropped.
 */
export function boundedInput(send: (text: string) => Promise<void>): (text: string) => void {
  let waiting = 0
  return (text) => {
    const size = text.length + perMessage
    if (waiting + size > mostWaiting) return
    waiting += size
    // What is sent to a stream that is over is lost with it.
    void send(text)
      .catch(() => undefined)
      .finally(() => (waiting -= size))
  }
}
