import type { CreationState, UnreadSetUp } from '#shared/bridge/creation'
import type { JobLog } from '#shared/bridge/job'
import { cut } from '../core/one-line'
import { logOf } from '../core/log-text'
import { connectionLimits } from '../ssh/client/target'
import type { ExecOutcome } from '../ssh/client/transport'

/** Result of a set-up with its first error, and the last lines of its log. */
export type SetUpResult = Pick<Extract<CreationState, { kind: 'ready' }>, 'setUp' | 'detail' | 'log'>

/** Lines of the log that are shown after an error, and the longest of them in characters. */
const maxLines = { count: 20, length: 500 } as const

/** `waiting`: cloud-init has not started, which it may never do, or the machine does not answer in time. */
export type SetUpReading =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly why: 'not-started' | 'silent' }
  | ({ readonly kind: 'over' } & SetUpResult)

const maxDetailLength = 300

const fieldOf = (output: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(output)?.[1]?.trim()

/** Returns the first error: an entry of `errors` or `recoverable_errors`, or the text under `detail` before 23.4. */
function detailOf(output: string): string | null {
  const line =
    /^\s*- (.*\S)/m.exec(output)?.[1] ?? fieldOf(output, 'detail') ?? /^detail:\s*\n(.*\S)/m.exec(output)?.[1]
  return line === undefined ? null : line.replace(/[\p{C}\p{Z}]+/gu, ' ').slice(0, maxDetailLength)
}

const unread = (setUp: UnreadSetUp): SetUpReading => ({ kind: 'over', setUp, detail: null, log: null })

/** Returns the parts of an answer; null if it is incomplete. `isUnfinished`: cloud-init has begun and not ended. */
function answerOf(stdout: string) {
  const [, report, status, unfinished, rest = ''] =
    /^([\s\S]*?)\nexit (\d{1,3})( unfinished)?\n([\s\S]*)\nend\n*$/.exec(stdout) ?? []
  if (report === undefined) return null
  return {
    report,
    status: Number(status),
    isUnfinished: unfinished !== undefined,
    log: logOf(rest.split('\n')),
  }
}

type Answer = NonNullable<ReturnType<typeof answerOf>>

/** Returns the last lines of a log; null if it could not be read. */
const lastLinesOf = (log: JobLog): string | null =>
  log.kind === 'log'
    ? log.text
        .split('\n')
        .slice(-maxLines.count)
        .map((line) => cut(line, maxLines.length))
        .join('\n')
    : null

function readReport({ report, status, isUnfinished, log }: Answer): SetUpReading {
  const ended = (setUp: 'degraded' | 'failed'): SetUpReading => ({
    kind: 'over',
    setUp,
    detail: detailOf(report),
    log: lastLinesOf(log),
  })
  // `status` hides recoverable errors, and reports an error while cloud-init still runs.
  switch (fieldOf(report, 'extended_status') ?? fieldOf(report, 'status')) {
    case 'running':
    case 'degraded running':
    case 'error - running':
      return { kind: 'running' }
    case 'not started':
    case 'not run':
      return { kind: 'waiting', why: 'not-started' }
    case 'disabled':
      return unread('no-cloud-init')
    case 'error':
      return isUnfinished ? { kind: 'running' } : ended('failed')
    case 'error - done':
      return ended('failed')
    case 'degraded done':
      return ended('degraded')
    case 'done':
      return status === 2 ? ended('degraded') : { kind: 'over', setUp: 'done', detail: null, log: null }
    default:
      return unread(status === 127 ? 'no-cloud-init' : 'unreadable')
  }
}

/**
 * Interprets the outcome of the script about the set-up. The exit status of cloud-init is 1 after an error, and, since
 * 23.4, 2 after recoverable errors (cloudinit/cmd/status.py). Pure.
 */
export function readSetUp(outcome: ExecOutcome): { readonly reading: SetUpReading; readonly log: JobLog } {
  // A busy machine, as during its set-up.
  if (outcome.kind === 'timed-out')
    return {
      reading: { kind: 'waiting', why: 'silent' },
      log: { kind: 'stopped', state: { kind: 'timed-out', seconds: connectionLimits.command } },
    }
  const answer = outcome.kind === 'finished' ? answerOf(outcome.stdout) : null
  return answer
    ? { reading: readReport(answer), log: answer.log }
    : { reading: unread('unreadable'), log: { kind: 'none' } }
}
