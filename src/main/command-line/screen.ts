import { isatty, WriteStream } from 'node:tty'

const output = 1

/** Width of standard output, null if it is no terminal, and whether it shows colours. */
export function screenOf(env: NodeJS.ProcessEnv): {
  readonly columns: number | null
  readonly hasColors: boolean
} {
  const isTerminal = isatty(output)
  return {
    columns: isTerminal ? new WriteStream(output).columns || null : null,
    hasColors: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  }
}
