import { keychainProblem } from '#shared/keychain-problem'
import { translate } from '#shared/messages/index'
import type { Action } from '#shared/messages/en/actions'
import { failureOf } from './failure-of'

export type ReportError = (action: Action, error: unknown) => void

/** Writes the failure, which holds no secret, as one line to standard error. */
export const reportError: ReportError = (action, error) => {
  process.stderr.write(`wheelhouse: ${JSON.stringify(failureOf(error, action))}\n`)
}

export function reportKeychain({ reason }: { readonly reason: string | null }): void {
  if (reason === null) return
  const problem = keychainProblem(reason)
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'
  const words = [`title.${problem}`, `${problem}.${platform}`].map((path) =>
    translate(`common.keychain.${path}`),
  )
  process.stderr.write(`wheelhouse: ${words.join(' ')} (${reason})\n`)
}
