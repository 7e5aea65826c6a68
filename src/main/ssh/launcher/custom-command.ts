import { posix, win32 } from 'node:path'
import { refused, isPlainPath } from '../client/plain-values'
import type { Terminal } from './terminal'

/** Id of the terminal that the user's own command opens. */
export const customTerminalId = 'custom'

/** Placeholders: for ssh with its arguments, as a separate word, and for the machine's name, inside a word. */
const commandWord = '{command}'
const titleMark = '{title}'

/** Upper bound on a command, far below the system's limit on arguments. */
const maxCommandLength = 1_000

/** Splits a command at spaces outside quotes; there are no other special characters. Null: a quote is not closed. */
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
 * Parses the user's own command as a terminal. It is split into words once, before placeholders are replaced, and no shell
 * reads it. Null: it is malformed.
 */
export function readCustomCommand(text: string, platform: NodeJS.Platform): Terminal | null {
  // No line ends, direction marks or invisible characters: they would hide the real command.
  if (text.length > maxCommandLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return null
  const [program, ...words] = wordsOf(text) ?? []
  if (program === undefined || words.filter((word) => word === commandWord).length !== 1) return null
  const otherWords = [
    program,
    ...words.filter((word) => word !== commandWord).map((word) => word.replaceAll(titleMark, '')),
  ]
  if (otherWords.some((word) => /\{\w*\}/.test(word))) return null
  const isWindows = platform === 'win32'
  const isFull = isWindows ? /^[a-z]:[\\/]/i.test(program) : posix.isAbsolute(program)
  const isName = /^[\w.+-]+$/.test(program) && !program.startsWith('-')
  if (!isName && !(isFull && isPlainPath(program, platform))) return null
  // Windows runs these by a shell.
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

/** Checks a command. Fails with invalid-input (command). */
export function plainCommand(text: string, platform: NodeJS.Platform): string {
  const command = text.trim()
  if (readCustomCommand(command, platform) === null) throw refused('command', 'malformed')
  return command
}
