import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { fileFailure } from '../core/failure-of'
import { ChannelError } from '../ssh/client/transport'
import { NoSpace, spaceFailure } from './free-space'
import { MalformedAnswer } from './sftp/packet'
import { isSessionRefusal } from './sessions'
import { PrintedText, SftpError, UnnamedCopy } from './sftp/session'

export const refusalText = ({ problem, message }: SftpError): string =>
  problem === 'failure' && message !== ''
    ? translate('files.problem.said', { said: message })
    : translate(`files.problem.${problem}`)

const reasonOf = (error: unknown): string | null => {
  if (error instanceof UnnamedCopy) {
    const { part, aside } = error
    const reason = refusalText(error.refusal)
    return aside === null
      ? translate('files.problem.unnamed', { part, reason })
      : translate('files.problem.unnamedMoved', { part, aside, reason })
  }
  if (error instanceof SftpError) return refusalText(error)
  if (error instanceof PrintedText) return translate('files.problem.printed', { line: error.line })
  if (error instanceof MalformedAnswer) return translate('files.problem.malformed')
  if (isSessionRefusal(error)) return translate('files.problem.sessions')
  if (error instanceof ChannelError)
    return translate(error.kind === 'lost' ? 'files.problem.lost' : 'files.problem.no-sftp')
  return null
}

/** Returns the failure of an action on files, for the user. `action`: its name for the user. */
export function filesFailure(error: unknown, action: string, machineName = ''): FailureError {
  if (error instanceof NoSpace) return spaceFailure(error, machineName)
  const reason = reasonOf(error)
  if (reason === null) return fileFailure(error, action)
  return new FailureError({ kind: 'local-fault', action, reason })
}

export const filesFault = (action: string, reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action, reason })
