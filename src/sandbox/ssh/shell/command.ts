import { DiskError } from '../disk/disk-error'
import type { Shell } from './run-line'

/** Something that a command writes. */
export interface Output {
  readonly to: 'stdout' | 'stderr'
  readonly data: string | Buffer
}

/** A command at work: yields what it writes, returns its exit status. Bounded memory: large things come in pieces. */
export type Execution = Generator<Output, number, undefined> | AsyncGenerator<Output, number, undefined>

export interface Call {
  readonly args: readonly string[]
  readonly shell: Shell
  /** What the client sends; absent in a terminal, where the shell reads it. */
  readonly stdin?: AsyncIterable<Buffer> | undefined
}

export interface Command {
  readonly name: string
  /** For `help`. */
  readonly summary: string
  run(call: Call): Execution
}

export const print = (text: string): Output => ({ to: 'stdout', data: `${text}\n` })
const complain = (text: string): Output => ({ to: 'stderr', data: `${text}\n` })

/** A command that says why and fails. */
export function* failed(name: string, why: string, status = 1): Generator<Output, number, undefined> {
  yield complain(`${name}: ${why}`)
  return status
}

/** A command that only prints. */
export const prints = (name: string, summary: string, text: (call: Call) => string): Command => ({
  name,
  summary,
  *run(call) {
    yield print(text(call))
    return 0
  },
})

/**
 * A command that does something to each of its arguments. What the disk refuses is said as `name: what 'path': why`
 * and makes the status 1; the others are still done.
 */
export function* onEach(
  name: string,
  paths: readonly string[],
  what: string,
  action: (path: string) => void,
): Generator<Output, number, undefined> {
  let status = 0
  for (const path of paths) {
    try {
      action(path)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      status = yield* failed(name, `${what} '${path}': ${error.message}`)
    }
  }
  return status
}

/** Splits `-la -h x y` into the letters and the rest; `--` ends the letters. `unknown` is the first letter not allowed. */
export function readOptions(
  args: readonly string[],
  allowed: string,
): { letters: ReadonlySet<string>; operands: readonly string[]; unknown: string | undefined } {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const isOption = (argument: string) => argument.startsWith('-') && argument.length > 1
  const letters = before.filter(isOption).flatMap((option) => Array.from(option.slice(1)))
  return {
    letters: new Set(letters),
    operands: [
      ...before.filter((argument) => !isOption(argument)),
      ...(end === -1 ? [] : args.slice(end + 1)),
    ],
    unknown: letters.find((letter) => !allowed.includes(letter)),
  }
}
