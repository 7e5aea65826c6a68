import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** The shell's terminal, or the files and pipes in its place. */
export interface Terminal {
  /** Prints to standard output. */
  print(line: string): void
  /** Prints to standard error: progress, questions and errors. */
  report(line: string): void
  /** Width of standard output; null if it is no terminal. */
  readonly columns: number | null
  /** Whether a user can answer a question. */
  readonly isInteractive: boolean
  readonly hasColors: boolean
  /** Asks on standard error and returns the typed line. */
  ask(question: string): string
  /** Runs a program in this terminal and returns its exit code. `folder`: its working directory. */
  run(file: string, args: readonly string[], folder: string | undefined): number
  hasProgram(name: string): boolean
  /** Opens standard input and output for a protocol. Nothing else may read or print then. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
  wait(seconds: number): Promise<void>
}

/** Exit code of a command whose reader is gone: as a shell reports SIGPIPE. */
export const closedOutputCode = 141

/** The reader of the output is gone, as with `wheelhouse ls | head`. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** Time until a full pipe is tried again. */
const fullPipeMs = 5

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : '')

/** Writes data to an open file completely. A pipe may be full for a while. Throws OutputClosed. */
export function writeFile(file: number, data: string | Buffer): void {
  let rest = Buffer.from(data)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      if (codeOf(error) === 'EPIPE') throw new OutputClosed()
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs)
    }
  }
}
