import type { Context } from './context'
import type { OptionName } from './options'

/** Words and options of one run of a command. */
export interface CommandInput {
  readonly words: readonly string[]
  /** Words after `--`. */
  readonly rest: readonly string[]
  /** Whether an option was given. */
  has(option: OptionName): boolean
  /** Value of an option; undefined if it was not given. */
  value(option: OptionName): string | undefined
}

export interface Command {
  readonly name: string
  /** Words that it requires, and words that may follow, as in its help. */
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  readonly takesRest?: boolean
  /** Options in the order of its help. */
  readonly options?: readonly OptionName[]
  /** Works without the application. */
  readonly isLocal?: boolean
  /** Returns an exit code, for example from ssh; undefined for 0. */
  run(context: Context, input: CommandInput): Promise<number | undefined>
}
