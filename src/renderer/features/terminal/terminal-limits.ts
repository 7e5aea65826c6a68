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

/** What a terminal answers by itself, behind its ESC: its focus, kind, state, cursor, modes, settings or colours. */
const answer = /^(?:\[[IO]|\[[?>]?[\d;]*(?:c|n|R|\$y)|P[01]\$r|\]\d+;(?:\d+;)?rgb:)/

/** Whether a text is an answer to a program's question, and not typed; F3 with Shift held looks like one. */
export const isAnswer = (text: string): boolean => text.startsWith('\x1b') && answer.test(text.slice(1))

/** Characters of input that may wait for a machine; each message counts for some besides its own. */
const maxWaitingBytes = 8 * 1024 * 1024
const perMessage = 64

/**
 * Sends what is typed, and what a terminal answers by itself: a machine that asks without end, and reads nothing, would
 * fill the window's memory. What comes beyond that is dropped.
 */
export function boundedInput(send: (text: string) => Promise<void>): (text: string) => void {
  let waiting = 0
  return (text) => {
    const size = text.length + perMessage
    if (waiting + size > maxWaitingBytes) return
    waiting += size
    // What is sent to a stream that is over is lost with it.
    void send(text)
      .catch(() => undefined)
      .finally(() => (waiting -= size))
  }
}
