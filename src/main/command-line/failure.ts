import { FailureError } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from '../core/failure-of'
import { oneLine } from '../core/one-line'
import { AnswerLost } from './client'
import { NotRunning } from './socket'
import { closedOutputCode } from './terminal'

/** Exit codes of the program; scripts rely on them (docs/command-line.md). `ssh`, `run` and `forward` end as ssh does. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  noAccount: 4,
  notFound: 5,
  unknownOutcome: 6,
  notConfirmed: 7,
  wouldLose: 8,
  overLimit: 9,
  outOfStock: 10,
  closedOutput: closedOutputCode,
} as const
export type ExitName = keyof typeof exitCodes

/** Ends the program with an exit code and a text for the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  constructor(
    readonly exit: ExitName,
    text: string,
  ) {
    super(text)
  }
}

/** An error as the user reads it, with its exit code and its kind for scripts. */
interface Described {
  readonly code: number
  readonly kind: string
  readonly text: string
}

export function describe(error: unknown): Described {
  if (error instanceof CommandFailure)
    return { code: exitCodes[error.exit], kind: error.exit, text: error.message }
  if (error instanceof NotRunning)
    return { code: exitCodes.notRunning, kind: 'notRunning', text: translate('commandLine.errors.lost') }
  if (error instanceof AnswerLost)
    return {
      code: exitCodes.unknownOutcome,
      kind: 'unknownOutcome',
      text: translate('commandLine.errors.unknownOutcome'),
    }
  const failure = failureOf(error, 'app')
  const { title, text: details, next } = failureText(failure, translate)
  const isSignedOut = error instanceof FailureError && failure.kind === 'not-signed-in'
  const words = [title, details, next]
    .map((part) => oneLine(part).trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
  return {
    code: isSignedOut ? exitCodes.noAccount : exitCodes.failed,
    kind: failure.kind,
    text: words.join(' '),
  }
}
