import { z } from 'zod'
import { quoted } from '../quoted'
import { OneMachine } from './account'
import { CommandState } from './command'
import { call, variant } from './define'

export const LookBefore = z.enum(['stop', 'delete'])
export type LookBefore = z.infer<typeof LookBefore>

/** First line of the script for a machine, by which the sandbox recognizes it. Pure. */
export const lookTitle = (before: LookBefore): string => `# Wheelhouse: what a ${before} would end`

/** Files of at least this many bytes, written in the last days, are listed. */
export const largeFile = { bytes: 100_000_000, days: 7 } as const

/**
 * Git work that exists only on the machine. Counts are null if they could not be read; `problem` is then the reason, in
 * words of git or one of `lookProblems`.
 */
export const LookRepository = z.object({
  path: z.string(),
  changes: z.number().int().nullable(),
  unpushed: z.number().int().nullable(),
  /** Commits that only tags reach. Whether the tags are on a remote is unknown. */
  tagged: z.number().int().nullable(),
  stashes: z.number().int().nullable(),
  problem: z.string().nullable(),
})
export type LookRepository = z.infer<typeof LookRepository>

/** A large file written recently. `at`: epoch seconds; `mount`: mount point of a disk other than the machine's own. */
export const LookFile = z.object({
  path: z.string(),
  bytes: z.number(),
  at: z.number(),
  mount: z.string().nullable(),
})
export type LookFile = z.infer<typeof LookFile>

const lookParts = ['git', 'files', 'gpus', 'tmux', 'screen', 'answer'] as const
export const LookPart = z.enum(lookParts)
export type LookPart = z.infer<typeof LookPart>

/** Reasons of Wheelhouse for a part that was not read. Other reasons are texts of the machine. */
const lookProblems = [
  'out-of-time',
  'not-installed',
  'not-searched',
  'too-many',
  'too-long',
  'odd-name',
  'cut-off',
] as const
export const LookProblem = z.enum(lookProblems)
export type LookProblem = z.infer<typeof LookProblem>

/** Part of the machine that was not read. `reason`: one of `lookProblems`, or a text of the machine. `path`: of `not-searched`. */
export const LookGap = z.object({ part: LookPart, reason: z.string(), path: z.string().optional() })
export type LookGap = z.infer<typeof LookGap>

/** State of a machine before it is stopped or deleted. `at`: epoch seconds. Before a stop, disks are not read. */
export const LastLook = z.object({
  at: z.number(),
  before: LookBefore,
  /** Repositories with work that exists only here, or that could not be read. */
  repositories: z.array(LookRepository),
  cleanRepositories: z.number().int(),
  /** Programs on the GPUs. */
  programs: z.array(z.object({ pid: z.number().int(), command: z.string() })),
  /** Sessions, and jobs (docs/jobs.md) that still run. */
  sessions: z.array(z.object({ tool: z.enum(['tmux', 'screen', 'job']), name: z.string() })),
  files: z.array(LookFile),
  /** Empty: everything was read. */
  gaps: z.array(LookGap),
})
export type LastLook = z.infer<typeof LastLook>

/** Numbers of findings of a look, without names. `isComplete`: everything was read. */
export const LookCounts = z.object({
  repositories: z.int(),
  programs: z.int(),
  sessions: z.int(),
  jobs: z.int(),
  files: z.int(),
  isComplete: z.boolean(),
})
export type LookCounts = z.infer<typeof LookCounts>

export const LookOutcome = z.discriminatedUnion('kind', [
  variant('looked', { look: LastLook }),
  /** The user has not allowed it for this machine. */
  variant('no-consent', {}),
  /** The machine could not be reached, or the connection was lost. */
  variant('stopped', { state: CommandState }),
])
export type LookOutcome = z.infer<typeof LookOutcome>

/** Whether a look found work, programs or files that exist only on the machine. Pure. */
export const findsLoss = ({ repositories, programs, sessions, files }: LastLook): boolean =>
  repositories.length + programs.length + sessions.length + files.length > 0

/** Whether a look read everything. Pure. */
export const isComplete = ({ gaps, repositories }: LastLook): boolean =>
  gaps.length === 0 && repositories.every(({ problem }) => problem === null)

const hasWork = ({ changes, unpushed, tagged, stashes }: LookRepository): boolean =>
  [changes, unpushed, tagged, stashes].some((count) => count !== null && count > 0)

/** Counts the findings of a look. Pure. */
export function lookCounts(look: LastLook): LookCounts {
  const jobs = look.sessions.filter(({ tool }) => tool === 'job').length
  return {
    // Whether an unread one has work is unknown: it makes the look incomplete.
    repositories: look.repositories.filter(hasWork).length,
    programs: look.programs.length,
    sessions: look.sessions.length - jobs,
    jobs,
    files: look.files.length,
    isComplete: isComplete(look),
  }
}

/** First line of the script for the branches of a repository, by which the sandbox recognizes it. */
export const branchesTitle = '# Wheelhouse: branches to push'

/** A branch with commits that are on no remote. `ref`: refs/heads/…; `target`: the ref on the remote. */
export const PushBranch = z.object({
  ref: z.string(),
  remote: z.string(),
  target: z.string(),
  commits: z.number().int(),
})
export type PushBranch = z.infer<typeof PushBranch>

/** `url` without secrets. */
export const PushPlaces = z.object({
  remotes: z.array(z.object({ name: z.string(), url: z.string() })),
  branches: z.array(PushBranch),
})
export type PushPlaces = z.infer<typeof PushPlaces>

/** Command that pushes a branch, without force and without a question. Pure. */
export const pushCommand = (path: string, { ref, remote, target }: PushBranch): string =>
  ['env GIT_TERMINAL_PROMPT=0 git -C', quoted(path), 'push', quoted(remote), quoted(`${ref}:${target}`)].join(
    ' ',
  )

export const lastLookCalls = {
  /**
   * Reads only; takes up to 20 s with the connection. A second call during a look returns the same look. `isUnattended`: the
   * sign-in may not ask the user.
   */
  'lastLook.look': call(
    OneMachine.extend({ before: LookBefore, isUnattended: z.boolean().optional() }),
    LookOutcome,
  ),
  /** Reads which branches of a repository can be pushed, and where to. `unread`: a text of the machine. */
  'lastLook.branches': call(
    OneMachine.extend({ path: z.string().max(4_096) }),
    z.discriminatedUnion('kind', [
      variant('read', PushPlaces.shape),
      variant('unread', { reason: z.string() }),
      variant('stopped', { state: CommandState }),
    ]),
  ),
} as const
