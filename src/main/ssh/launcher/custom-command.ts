import { posix, win32 } from 'node:path'
import { refused, isPlainPath } from '../client/plain-values'
import type { Terminal } from './terminal'

/** The id of the terminal that a command of the person's own opens. */
export const customTerminalId = 'custom'

/** What stands for ssh with its arguments, as a word of its own, and for the machine's name, within a word. */
const commandWord = '{command}'
const titleMark = '{title}'

/** Far more than a person types, and far less than the system takes for a program's arguments. */
const longest = 1_000

/** The words of a command: blanks end one but within quotes, and nothing else means anything. Null where a quote is open. */
function wordsOf(text: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (const character of text) {
    if (quote === null && character === ' ') {
      if (word !== null) words.push(word)
      word = null
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (character === quote) quote = null
    else word = (word ?? '') + character
  }
  if (quote !== null) return null
  return word === null ? words : [...words, word]
}

/**
 * A command of the person's own as a terminal: it is split into words once, here, and what stands in their place is
 * never read again. No shell sees any of it. Null where it is none.
 */
export function readCustomCommand(text: string, platform: NodeJS.Platform): Terminal | null {
  // No line ends, marks that turn the direction of reading or signs that nobody sees: what is run is what is read.
  if (text.length > longest || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return null
  const [program, ...words] = wordsOf(text) ?? []
  if (program === undefined || words.filter((word) => word === commandWord).length !== 1) return null
  const others = [
    program,
    ...words.filter((word) => word !== commandWord).map((word) => word.replaceAll(titleMark, '')),
  ]
  if (others.some((word) => /\{\w*\}/.test(word))) return null
  const isWindows = platform === 'win32'
  const isFull = isWindows ? /^[a-z]:[\\/]/i.test(program) : posix.isAbsolute(program)
  const isName = /^[\w.+-]+$/.test(program) && !program.startsWith('-')
  if (!isName && !(isFull && isPlainPath(program, platform))) return null
  // Those are run by a shell, whatever starts them.
  if (isWindows && /\.(?:bat|cmd)\.?$/i.test(program)) return null
  return {
    id: customTerminalId,
    name: (isWindows ? win32 : posix).basename(program),
    places: [program],
    canHold: false,
    staysWithWindow: false,
    launch: (file, window) => ({
      file,
      args: words.flatMap((word) =>
        word === commandWord
          ? [window.ssh, ...window.args]
          : [word.replaceAll(titleMark, () => window.title)],
      ),
    }),
  }
}

/** `text` as a command. Fails with invalid-input (command). */
export function plainCommand(text: string, platform: NodeJS.Platform): string {
  const command = text.trim()
  if (readCustomCommand(command, platform) === null) throw refused('command', 'malformed')
  return command
}
