import type { Terminal } from '@xterm/xterm'

/** Control functions that xterm.js repeats up to 2,147,483,647 times, which would block the window for hours. */
const repeated = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b'] as const

/** Ignores control functions with a count above the number of rows and columns. */
export function ignoreLargeCounts(terminal: Pick<Terminal, 'parser' | 'cols' | 'rows'>): void {
  for (const final of repeated)
    terminal.parser.registerCsiHandler(
      { final },
      ([count]) => typeof count === 'number' && count > Math.max(terminal.cols, terminal.rows),
    )
}

/** A terminal's answers without their ESC: focus, kind, state, cursor, modes, settings or colours. */
const answer = /^(?:\[[IO]|\[[?>]?[\d;]*(?:c|n|R|\$y)|P[01]\$r|\]\d+;(?:\d+;)?rgb:)/

/** Returns whether a text is an answer to a program's question. Shift+F3 looks like one. */
export const isAnswer = (text: string): boolean => text.startsWith('\x1b') && answer.test(text.slice(1))

const maxWaitingBytes = 8 * 1024 * 1024
/** Overhead that each message counts for. */
const messageOverheadBytes = 64

/** Sends input up to a limit, so that a machine that asks without end and reads nothing does not fill the memory. */
export function boundedInput(send: (text: string) => Promise<void>): (text: string) => void {
  let waiting = 0
  return (text) => {
    const size = text.length + messageOverheadBytes
    if (waiting + size > maxWaitingBytes) return
    waiting += size
    // Input for a closed stream is lost.
    void send(text)
      .catch(() => undefined)
      .finally(() => (waiting -= size))
  }
}
