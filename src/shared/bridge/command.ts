import { z } from 'zod'
import { AccountId } from './account'
import { stream } from './define'
import { SshStop } from './ssh-link'

/** Machines that one command goes to at most. */
export const mostMachines = 1_000
/** Seconds that a command may take on each machine, of which the person chooses one. */
export const timeLimits = [10, 60, 300, 1_800, 7_200] as const

/** The machine did not say that it has ended it. */
const mayRun = z.literal(true).optional()
/** The command had not begun, and does not begin later. */
const beforeStart = z.literal(true).optional()

/**
 * Why the login shell of a machine did not start a command. `restricted`: it runs no other shell (rbash). `no-shell`: the
 * machine has no POSIX shell, as Windows. `refused`: it ran something else, such as a forced command. `said`: its output.
 */
export const NotBegun = z.object({ why: z.enum(['restricted', 'no-shell', 'refused']), said: z.string() })
export type NotBegun = z.infer<typeof NotBegun>

/** Output of start-up files of the login shell, before the command; absent: none. */
export const loginOutput = z.string().optional()
/** The login shell had not started the command within so many seconds. */
export const SlowLogin = z.object({ kind: z.literal('slow-login'), seconds: z.number(), loginOutput })
export type SlowLogin = z.infer<typeof SlowLogin>

/** Where a command stands on one machine. Times are epoch seconds. */
export const CommandState = z.discriminatedUnion('kind', [
  /** Others come first. */
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('connecting') }),
  z.object({ kind: z.literal('running'), since: z.number() }),
  /** Null: the machine reported no exit code. */
  z.object({ kind: z.literal('exited'), code: z.int().nullable() }),
  /** A signal of this name ended it; null: the machine did not report which. */
  z.object({ kind: z.literal('signalled'), signal: z.string().nullable() }),
  z.object({ kind: z.literal('timed-out'), seconds: z.number(), mayRun, beforeStart }),
  /** It was ended because it printed more than so many bytes. */
  z.object({ kind: z.literal('printed-too-much'), bytes: z.number(), mayRun, beforeStart }),
  z.object({ kind: z.literal('cancelled'), mayRun, beforeStart }),
  /** The connection was lost while it ran: it may still run. */
  z.object({ kind: z.literal('lost') }),
  /** The machine did not begin it, for this reason of its own. */
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  NotBegun.extend({ kind: z.literal('not-begun') }),
  /** `reason`: the system's, such as ECONNREFUSED. */
  z.object({ kind: z.literal('not-reached'), reason: z.string() }),
  z.object({ kind: z.literal('unavailable'), why: z.enum(['gone', 'stopped', 'moving', 'no-address']) }),
  z.object({ kind: z.literal('host-key-unknown') }),
  z.object({ kind: z.literal('stopped'), stop: SshStop }),
])
export type CommandState = z.infer<typeof CommandState>

const NamedMachine = z.object({ machine: z.string().min(1) })

/** What is said of one machine while a command runs. */
export const CommandMessage = z.discriminatedUnion('kind', [
  NamedMachine.extend({ kind: z.literal('state'), state: CommandState }),
  /** What it printed; `leftOut`: characters before this text that are not sent. */
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
   * Runs one command on machines of an account, a few at once, and ends once each has its outcome; closing it cancels
   * all. `cancel`: one machine, or all (null). Nothing of it is kept.
   */
  'command.run': stream({
    input: z.object({
      account: AccountId,
      machines: z.array(z.string().min(1)).min(1).max(mostMachines),
      // SSH would carry a NUL, and no shell takes one.
      command: z
        .string()
        .regex(/^[^\0]*[^\0\s][^\0]*$/)
        .max(16_384),
      seconds: z.literal(timeLimits),
    }),
    up: z.object({ cancel: z.string().nullable() }),
    down: CommandMessage,
  }),
} as const
