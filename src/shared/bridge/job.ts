import { z } from 'zod'
import { EndRequest } from '../end-process'
import { AccountId, OneAccount, OneMachine } from './account'
import { CommandState } from './command'
import { call, variant } from './define'
import { EndOutcome } from './process'
import { SshLink } from './ssh-link'

/** First line of each script for jobs, by which the sandbox recognizes it. */
export const jobScriptTitle = '# Wheelhouse: jobs'

/** Running jobs of one machine, and all jobs of an account. The oldest jobs that ended are dropped. */
export const maxJobs = { machine: 40, account: 200 } as const
/** Bytes at the end of a log that are read for the window, and characters of it in a notification. */
export const maxLog = { bytes: 32_768, notice: 300, noticeLines: 4 } as const
/** Minutes without work after which the GPUs count as idle. */
export const idleMinutes = { min: 5, usual: 15, max: 1_440 } as const

/** A process as the machine reports it. A later process with its PID has another start time or user. */
const Identity = EndRequest.omit({ signal: true })

/** Pane of a tmux server. `socket`: name of the server's socket. */
const PaneId = z.object({ socket: z.string().regex(/^[\w.-]{1,64}$/), pane: z.string().regex(/^%\d{1,9}$/) })

/**
 * Subject of a job. `log`: path of the file to which a process prints; null: none. `id`: folder of a command on the machine
 * (docs/jobs.md). A pane is followed by its program in the foreground.
 */
const JobSubject = z.discriminatedUnion('kind', [
  variant('process', { process: Identity, command: z.string(), log: z.string().nullable() }),
  variant('pane', { process: Identity, command: z.string(), ...PaneId.shape, label: z.string() }),
  variant('command', { process: Identity, command: z.string(), id: z.string(), isInTmux: z.boolean() }),
  variant('idle', { minutes: z.number().int() }),
])

/**
 * `ended`: `code` is null if it is unknown; `at` is the time of the machine's answer then. `lost`: the machine was deleted
 * or rebooted, or the files of the command are gone. Times are epoch seconds.
 */
export const JobState = z.discriminatedUnion('kind', [
  variant('running', {}),
  variant('ended', { at: z.number(), code: z.number().int().nullable() }),
  variant('lost', { at: z.number(), why: z.enum(['machine-gone', 'rebooted', 'files-gone']) }),
])
export type JobState = z.infer<typeof JobState>

/** A job to report the end of. `machineName`: as it was when the job was added. `boot`: id of the machine's boot. */
export const Job = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  machineName: z.string(),
  name: z.string(),
  subject: JobSubject,
  boot: z.string(),
  /** Begin of a command, or since when the job is watched. */
  since: z.number(),
  state: JobState,
})
export type Job = z.infer<typeof Job>

/** `link`: connection that asks about a running job; null: none is needed, or it is not allowed (`isAllowed`). */
export const JobView = Job.extend({ link: SshLink.nullable(), isAllowed: z.boolean() })
export type JobView = z.infer<typeof JobView>

/** `isIdle`: only the shell of the pane runs. */
export const TmuxPane = PaneId.extend({ label: z.string(), command: z.string(), isIdle: z.boolean() })
export type TmuxPane = z.infer<typeof TmuxPane>

/** A process of the user on a machine, without secrets in its command. */
export const UserProcess = Identity.omit({ user: true }).extend({ command: z.string() })
export type UserProcess = z.infer<typeof UserProcess>

/** Command of a job. No shell accepts a NUL. */
export const JobCommand = z
  .string()
  .regex(/^[^\0]*[^\0\s][^\0]*$/)
  .max(16_384)

/** `process`: a process as listed, or only its PID. */
export const JobTarget = z.discriminatedUnion('kind', [
  variant('process', Identity.partial({ start: true, user: true }).shape),
  variant('pane', PaneId.shape),
  variant('idle', { minutes: z.number().int().min(idleMinutes.min).max(idleMinutes.max) }),
  variant('command', { command: JobCommand }),
])
export type JobTarget = z.infer<typeof JobTarget>

/** `stopped`: the machine gave no answer. */
const Stopped = variant('stopped', { state: CommandState })

/** `no-process`: there is none, or another one has that PID now. `failed`: the command did not start; text of the machine. */
export const WatchOutcome = z.discriminatedUnion('kind', [
  variant('watching', { job: JobView }),
  variant('refused', { why: z.enum(['no-process', 'no-pane', 'no-consent', 'too-many']) }),
  variant('failed', { reason: z.string() }),
  Stopped,
])
export type WatchOutcome = z.infer<typeof WatchOutcome>

/** `isCut`: the text is the end of a longer log. `none`: there is no log. */
export const JobLog = z.discriminatedUnion('kind', [
  variant('log', { text: z.string(), isCut: z.boolean() }),
  variant('none', {}),
  Stopped,
])
export type JobLog = z.infer<typeof JobLog>

const OneJob = OneAccount.extend({ job: z.string() })

export const jobCalls = {
  'jobs.list': call(OneAccount, z.array(JobView)),
  /** Lists the user's processes, except processes of the connection itself, by their processor time. */
  'jobs.processes': call(
    OneMachine,
    z.discriminatedUnion('kind', [variant('processes', { processes: z.array(UserProcess) }), Stopped]),
  ),
  /** Lists the panes of the user's tmux servers. */
  'jobs.panes': call(
    OneMachine,
    z.discriminatedUnion('kind', [variant('panes', { panes: z.array(TmuxPane) }), Stopped]),
  ),
  /** Watches something until it ends, or starts a command. Fails with disk-full and local-fault. */
  'jobs.watch': call(OneMachine.extend({ target: JobTarget }), WatchOutcome),
  /** Reads the end of a job's log. */
  'jobs.log': call(OneJob, JobLog),
  /** Ends the program of a job. A process that Wheelhouse did not start must be on a GPU, as with `process.end`. */
  'jobs.end': call(OneJob.extend({ signal: EndRequest.shape.signal }), EndOutcome),
  /** Forgets a job; its program goes on. Fails with local-fault. */
  'jobs.remove': call(OneJob, z.void()),
} as const

export const jobEvents = {
  'jobs.changed': z.object({ account: AccountId, jobs: z.array(JobView) }),
} as const
