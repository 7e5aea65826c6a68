import { z } from 'zod'
import { AccountId } from './account'
import { stream, variant } from './define'
import { SshStop } from './ssh-link'

export const maxCommandMachines = 1_000
/** Timeouts of a command in seconds, from which the user chooses. */
export const commandTimeoutsSeconds = [10, 60, 300, 1_800, 7_200] as const

/** The machine did not confirm that the command ended. */
const mayRun = z.literal(true).optional()
/** The command had not begun, and will not begin later. */
const beforeStart = z.literal(true).optional()

/**
 * Why the login shell did not start a command. `restricted`: it runs no other shell (rbash). `no-shell`: there is no
 * POSIX shell, as on Windows. `refused`: it ran something else, such as a forced command. The field `said` is its
 * output.
 */
export const NotBegun = z.object({ why: z.enum(['restricted', 'no-shell', 'refused']), said: z.string() })
export type NotBegun = z.infer<typeof NotBegun>

export const loginOutput = z.string().optional()
export const SlowLogin = variant('slow-login', { seconds: z.number(), loginOutput })
export type SlowLogin = z.infer<typeof SlowLogin>

/** State of a command on one machine. Times are epoch seconds. */
export const CommandState = z.discriminatedUnion('kind', [
  variant('waiting', {}),
  variant('connecting', {}),
  variant('running', { since: z.number() }),
  /** Null if the machine reported no exit code. */
  variant('exited', { code: z.int().nullable() }),
  /** Null if the machine did not report the signal. */
  variant('signalled', { signal: z.string().nullable() }),
  variant('timed-out', { seconds: z.number(), mayRun, beforeStart }),
  variant('printed-too-much', { bytes: z.number(), mayRun, beforeStart }),
  variant('cancelled', { mayRun, beforeStart }),
  variant('lost', {}),
  /** The machine refused to start it. `reason`: its own message. */
  variant('refused', { reason: z.string() }),
  NotBegun.extend({ kind: z.literal('not-begun') }),
  /** `reason`: the system's code, such as ECONNREFUSED. */
  variant('not-reached', { reason: z.string() }),
  variant('unavailable', { why: z.enum(['gone', 'stopped', 'moving', 'no-address']) }),
  variant('host-key-unknown', {}),
  variant('stopped', { stop: SshStop }),
])
export type CommandState = z.infer<typeof CommandState>

const NamedMachine = z.object({ machine: z.string().min(1) })

export const CommandMessage = z.discriminatedUnion('kind', [
  NamedMachine.extend({ kind: z.literal('state'), state: CommandState }),
  /** Output; `leftOut`: characters before it that were not sent. */
  NamedMachine.extend({
    kind: z.literal('output'),
    from: z.enum(['stdout', 'stderr']),
    leftOut: z.int().min(0),
    text: z.string(),
  }),
])
export type CommandMessage = z.infer<typeof CommandMessage>

export const commandStreams = {
  /**
   * Runs a command on machines of an account, a few at a time. Ends when each has an outcome; closing the stream
   * cancels all. `cancel`: one machine, or all (null). Nothing is stored.
   */
  'command.run': stream({
    input: z.object({
      account: AccountId,
      machines: z.array(z.string().min(1)).min(1).max(maxCommandMachines),
      // SSH can carry a NUL, but no shell accepts one.
      command: z
        .string()
        .regex(/^[^\0]*[^\0\s][^\0]*$/)
        .max(16_384),
      seconds: z.literal(commandTimeoutsSeconds),
    }),
    up: z.object({ cancel: z.string().nullable() }),
    down: CommandMessage,
  }),
} as const
