import type { Clock } from '../../clock'
import { DiskError } from '../disk/disk-error'
import type { Disk } from '../disk/disk'
import type { SshMachine } from '../machine'
import type { TmuxServer } from './tmux-server'

/** State of one shell session, which commands read and change. */
export interface Shell {
  readonly machine: SshMachine
  readonly host: string
  readonly home: string
  readonly disk: Disk
  /** Epoch seconds. */
  readonly startedAt: number
  readonly now: Clock['now']
  /** Returns the width of the terminal in characters; undefined without a terminal. */
  columns(): number | undefined
  readonly tmux: TmuxServer
  directory: string
  /** Value of `$?`. */
  status: number
  ended: boolean
}

export interface Output {
  readonly to: 'stdout' | 'stderr'
  readonly data: string | Buffer
}

/** Running command: yields its output in pieces of limited size and returns its exit status. */
export type Execution = Generator<Output, number, undefined> | AsyncGenerator<Output, number, undefined>

export interface Invocation {
  readonly args: readonly string[]
  readonly shell: Shell
  /** Absent in a terminal, whose input the shell reads. */
  readonly stdin?: AsyncIterable<Buffer> | undefined
}

export interface Command {
  readonly name: string
  readonly summary: string
  run(invocation: Invocation): Execution
}

export const print = (text: string): Output => ({ to: 'stdout', data: `${text}\n` })
const errorLine = (text: string): Output => ({ to: 'stderr', data: `${text}\n` })

export function* failed(name: string, reason: string, status = 1): Generator<Output, number, undefined> {
  yield errorLine(`${name}: ${reason}`)
  return status
}

export const printCommand = (
  name: string,
  summary: string,
  text: (invocation: Invocation) => string,
): Command => ({
  name,
  summary,
  *run(invocation) {
    yield print(text(invocation))
    return 0
  },
})

/**
 * Applies `action` to each operand. A DiskError is printed as `name: problem 'path': reason` and sets the status to 1;
 * the remaining operands are still processed.
 */
export function* forEachOperand(
  name: string,
  paths: readonly string[],
  problem: string,
  action: (path: string) => void,
): Generator<Output, number, undefined> {
  let status = 0
  for (const path of paths) {
    try {
      action(path)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      status = yield* failed(name, `${problem} '${path}': ${error.message}`)
    }
  }
  return status
}

/** Splits `-la -h x y` into option letters and operands; `--` ends the options. `unknown`: first invalid letter. */
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
