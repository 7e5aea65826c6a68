import type { SetUp, UnreadSetUp } from '#shared/bridge/creation'
import type { ExecOutcome } from '../ssh/client/transport'

/**
 * Prints the state of a machine's set-up. The exit status is 1 after an error, and, since cloud-init 23.4, 2 after
 * recoverable errors (cloudinit/cmd/status.py).
 */
export const setUpCommand = 'cloud-init status --long'

/** `waiting`: cloud-init has not started, which it may never do, or the machine does not answer in time. */
export type SetUpReading =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly why: 'not-started' | 'silent' }
  | { readonly kind: 'over'; readonly setUp: SetUp; readonly detail: string | null }

const maxDetailLength = 300

const fieldOf = (output: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'm').exec(output)?.[1]?.trim()

/** Returns the first error: an entry of `errors` or `recoverable_errors`, or the text under `detail` before 23.4. */
function detailOf(output: string): string | null {
  const line =
    /^\s*- (.*\S)/m.exec(output)?.[1] ?? fieldOf(output, 'detail') ?? /^detail:\s*\n(.*\S)/m.exec(output)?.[1]
  return line === undefined ? null : line.replace(/[\p{C}\p{Z}]+/gu, ' ').slice(0, maxDetailLength)
}

/** Interprets the outcome of `setUpCommand`. Pure. */
export function readSetUp(outcome: ExecOutcome): SetUpReading {
  const unread = (setUp: UnreadSetUp) => ({ kind: 'over', setUp, detail: null }) as const
  // A busy machine, as during its set-up.
  if (outcome.kind === 'timed-out') return { kind: 'waiting', why: 'silent' }
  if (outcome.kind !== 'finished') return unread('unreadable')
  const { stdout, status } = outcome
  // `status` hides recoverable errors, and reports an error while cloud-init still runs.
  switch (fieldOf(stdout, 'extended_status') ?? fieldOf(stdout, 'status')) {
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
    case 'error - done':
      return { kind: 'over', setUp: 'failed', detail: detailOf(stdout) }
    case 'degraded done':
      return { kind: 'over', setUp: 'degraded', detail: detailOf(stdout) }
    case 'done':
      return status === 2
        ? { kind: 'over', setUp: 'degraded', detail: detailOf(stdout) }
        : { kind: 'over', setUp: 'done', detail: null }
    default:
      return unread(status === 127 ? 'no-cloud-init' : 'unreadable')
  }
}
