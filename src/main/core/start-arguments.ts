/** A start of the program as the command line. */
export interface CommandStart {
  /** Arguments that start the application itself: its folder in a checkout, and Chromium's switches. */
  readonly launch: readonly string[]
  /** The command and its arguments. */
  readonly words: readonly string[]
}

/** Marks the words of the command line; needed in a checkout, in which Electron's own arguments come first. */
const commandMark = '--cli'
/** Starts the application without a window. */
export const hiddenSwitch = '--hidden'

/** Returns whether ssh started this process to ask for a passphrase or password. */
export const isAskpass = (args: readonly string[]): boolean => args.includes('--askpass')

export const isLink = (argument: string): boolean => argument.toLowerCase().startsWith('wheelhouse:')

/** Arguments of starts, in their order, until a listener handles them. */
export function createStarts() {
  const waiting: (readonly string[])[] = []
  let handle: ((args: readonly string[]) => void) | undefined
  return {
    add(args: readonly string[]): void {
      if (handle) handle(args)
      else waiting.push(args)
    },
    listen(listener: (args: readonly string[]) => void): void {
      handle = listener
      waiting.splice(0).forEach(listener)
    },
  }
}
export type Starts = ReturnType<typeof createStarts>

const asksAbout = new Set(['--help', '-h', '--version'])

/**
 * Returns the words of the command line; null if the application starts. `args`: without the program. A packaged program
 * has no other use for a word, except a link, which never runs a command.
 */
export function commandStart(args: readonly string[], isPackaged: boolean): CommandStart | null {
  if (args.some(isLink)) return null
  const mark = args.indexOf(commandMark)
  if (mark >= 0) return { launch: args.slice(0, mark), words: args.slice(mark + 1) }
  if (!isPackaged) return null
  const first = args.findIndex((argument) => !argument.startsWith('-') || asksAbout.has(argument))
  return first < 0 ? null : { launch: args.slice(0, first), words: args.slice(first) }
}
