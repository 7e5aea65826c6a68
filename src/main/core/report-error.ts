import { failureOf } from '#shared/failure'
import type { Action } from '#shared/messages/en/actions'

/** Where errors go that nobody waits for. `action` names what was attempted. */
export type ReportError = (action: Action, error: unknown) => void

/** Writes the failure, which holds no secret, as one line to standard error. */
export const reportError: ReportError = (action, error) => {
  process.stderr.write(`wheelhouse: ${JSON.stringify(failureOf(error, action))}\n`)
}
