import type { Context } from './context'

/** Words and options of one run of a command. */
export interface CommandInput {
  readonly words: readonly string[]
  /** Words after `--`. */
  readonly rest: readonly string[]
  readonly isAnyway: boolean
  /** Name given with --yes-delete. */
  readonly deletes: string | undefined
}

export interface Command {
  readonly name: string
  /** Words that it requires, and words that may follow, as in its help. */
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  readonly takesRest?: boolean
  readonly options?: readonly ('anyway' | 'yes-delete')[]
  /** Works without the application. */
  readonly isLocal?: boolean
  /** Returns an exit code, for example from ssh; undefined for 0. */
  run(context: Context, input: CommandInput): Promise<number | undefined>
}
