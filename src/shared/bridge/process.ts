import { z } from 'zod'
import { EndRequest, refusals } from '../end-process'
import { OneMachine } from './account'
import { CommandState } from './command'
import { call, variant } from './define'

/** Result of a request to end a process. `running`: it ignored the signal for five seconds. */
export const EndOutcome = z.discriminatedUnion('kind', [
  variant('ended', {}),
  variant('running', {}),
  /** It had ended before. */
  variant('gone', {}),
  /** No signal was sent. */
  variant('refused', { why: z.enum(refusals) }),
  /** The machine did not answer the request. */
  variant('unanswered', { state: CommandState }),
])
export type EndOutcome = z.infer<typeof EndOutcome>

export const processCalls = {
  /** Ends a process on a GPU after checks on the machine. It must be the same process as listed. */
  'process.end': call(OneMachine.extend(EndRequest.shape), EndOutcome),
} as const
