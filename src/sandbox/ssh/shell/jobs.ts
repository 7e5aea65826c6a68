import type { JobQuestion } from '#shared/job-script'
import { hash32 } from '../../random'
import type { Output, Shell } from './command'
import type { Disk } from '../disk/disk'
import { gpusOf } from './gpu'
import { processesOf } from './processes'
import type { TmuxSession } from './tmux-server'

/** A command in the background. `steps`: its parts, each with the seconds that it sleeps before. */
interface Job {
  readonly command: string
  readonly pid: number
  readonly begun: number
  readonly boot: number
  readonly steps: { readonly sleep: number; readonly line: string }[]
  /** Time at which the next step is due. */
  due: number
  log: string
  code: number
  endedAt: number | undefined
}
type Run = (line: string, shell: Shell) => AsyncGenerator<Output, number>

const firstPid = 30_000
const firstPanePid = 20_000
/** Seconds between two lines of the log of a training. */
const stepSeconds = 15
const shownSteps = 40
const ticksPerSecond = 100
const maxLogLength = 32_768
const maxJobs = 100

/** Commands that were started on each machine. They outlive reboots, as their files do. */
const jobsOfDisks = new WeakMap<Disk, Map<string, Job>>()
function jobsOf({ disk }: Shell): Map<string, Job> {
  const jobs = jobsOfDisks.get(disk) ?? new Map<string, Job>()
  jobsOfDisks.set(disk, jobs)
  return jobs
}

const sleeps = /\s*(?:;|&&|\n)?\s*\bsleep (\d{1,6})\b\s*(?:;|&&|\n)?\s*/
const startOf = ({ begun }: Job): string => String(begun * ticksPerSecond)
/** Id of the boot. */
const bootOf = ({ startedAt, machine }: Shell): string =>
  `${hash32(machine.id).toString(16).padStart(8, '0')}-${String(startedAt)}`

/** Splits a command at `sleep`: time passes without a program that waits. */
function stepsOf(command: string): Job['steps'] {
  const parts = command.trim().split(sleeps)
  const steps: Job['steps'] = []
  for (let index = 0; index < parts.length; index += 2)
    steps.push({ sleep: index === 0 ? 0 : Number(parts[index - 1]), line: parts[index] ?? '' })
  return steps
}

/** Runs the steps of a command that are due. */
async function advance(job: Job, shell: Shell, run: Run): Promise<void> {
  if (job.boot !== shell.startedAt) return
  while (job.endedAt === undefined) {
    const [step] = job.steps
    const at = job.due + (step?.sleep ?? 0)
    if (!step || at > shell.now()) return
    job.steps.shift()
    job.due = at
    if (step.line !== '') {
      const execution = run(step.line, { ...shell, directory: shell.home, status: 0, ended: false })
      let next = await execution.next()
      while (!next.done && job.log.length < maxLogLength) {
        job.log += String(next.value.data)
        next = await execution.next()
      }
      job.code = next.done ? next.value : 1
    }
    if (job.steps.length === 0) job.endedAt = at
  }
}

/** Time at which a command ends. */
const endOf = ({ due, steps, endedAt }: Job): number =>
  endedAt ?? steps.reduce((at, { sleep }) => at + sleep, due)

/** Returns the ids and texts of the commands that run. */
export const runningJobs = (shell: Shell): readonly (readonly [id: string, command: string])[] =>
  [...jobsOf(shell)]
    .filter(([, job]) => job.boot === shell.startedAt && endOf(job) > shell.now())
    .map(([id, { command }]) => [id, command])

const panePid = (shell: Shell, { name }: TmuxSession): number =>
  firstPanePid + shell.tmux.sessions().findIndex((session) => session.name === name)
const sessionOfPane = (shell: Shell, pane: string): TmuxSession | undefined =>
  shell.tmux.sessions()[Number(pane.slice(1))]

/** Returns the start time, user and command of a running process. */
function processOf(shell: Shell, pid: number) {
  const { machine, startedAt } = shell
  const now = shell.now()
  const running = processesOf(machine, startedAt, now).find((process) => process.pid === pid)
  if (running) {
    const onGpu = gpusOf(machine, now)
      .flatMap(({ processes }) => processes)
      .find((process) => process.pid === pid)
    return {
      start: onGpu?.start ?? String(pid),
      user: running.user,
      command: running.command,
      isOnGpu: onGpu !== undefined,
    }
  }
  const session = shell.tmux.sessions().find((one) => panePid(shell, one) === pid)
  return (
    session && { start: String(session.createdAt), user: machine.username, command: 'bash', isOnGpu: false }
  )
}

function describe(shell: Shell, pid: number): readonly string[] {
  const process = processOf(shell, pid)
  if (!process) return ['none']
  const line = `process ${String(pid)} ${process.start} ${process.user} ${process.command}`
  return process.isOnGpu ? [line, `log ${shell.home}/train.log`] : [line]
}

function trainingLog(now: number): readonly string[] {
  const last = Math.floor(now / stepSeconds)
  return Array.from({ length: shownSteps }, (_, index) => {
    const step = last - shownSteps + index + 1
    return `step ${String(step % 100_000)}  loss ${(1.8 + (hash32(String(step)) % 400) / 1_000).toFixed(3)}`
  })
}

async function answerOne([name, ...args]: JobQuestion, shell: Shell, run: Run): Promise<readonly string[]> {
  const [first = '', second = '', third = ''] = args
  const jobs = jobsOf(shell)
  switch (name) {
    case 'describe':
      return describe(shell, Number(first))
    case 'processes':
      return processesOf(shell.machine, shell.startedAt, shell.now())
        .filter(({ user }) => user === shell.machine.username)
        .toSorted((one, other) => other.cpu - one.cpu)
        .flatMap(({ pid }) => {
          const process = processOf(shell, pid)
          return process ? [`running ${String(pid)} ${process.start} ${process.command}`] : []
        })
    case 'panes':
      return shell.tmux.sessions().map((session, index) => {
        const pid = String(panePid(shell, session))
        return `pane default %${String(index)} ${pid} ${pid} ${session.name}:0.0\tbash`
      })
    case 'describe_pane': {
      const session = sessionOfPane(shell, second)
      return session ? [`label ${session.name}:0.0`, ...describe(shell, panePid(shell, session))] : ['none']
    }
    case 'start_job': {
      if (jobs.size >= maxJobs) return ['failed']
      const begun = shell.now()
      const job: Job = {
        command: second,
        pid: firstPid + jobs.size,
        begun,
        boot: shell.startedAt,
        steps: stepsOf(second),
        due: begun,
        log: '',
        code: 0,
        endedAt: undefined,
      }
      jobs.set(first, job)
      await advance(job, shell, run)
      return [`started ${String(job.pid)} ${startOf(job)} ${shell.machine.username} ${String(begun)} tmux`]
    }
    case 'process_state':
    case 'pane_state': {
      const process = processOf(shell, Number(second))
      return [`job ${first} ${process?.start === third ? 'running' : 'ended'}`]
    }
    case 'command_state': {
      const job = jobs.get(second)
      if (!job) return [`job ${first} files-gone`]
      await advance(job, shell, run)
      if (job.endedAt !== undefined) return [`job ${first} ended ${String(job.code)} ${String(job.endedAt)}`]
      return [`job ${first} ${job.boot === shell.startedAt ? 'running' : 'rebooted'}`]
    }
    case 'log_file':
      return first === `${shell.home}/train.log` ? ['log 4096', ...trainingLog(shell.now())] : ['none']
    case 'log_pane':
      return sessionOfPane(shell, second) ? ['log 0', `${shell.machine.username}@${shell.host}:~$`] : ['none']
    case 'log_command': {
      const job = jobs.get(first)
      if (!job) return ['none']
      await advance(job, shell, run)
      return [`log ${String(job.log.length)}`, job.log]
    }
    case 'end_command': {
      const job = [...jobs.values()].find((one) => String(one.pid) === first && startOf(one) === second)
      if (!job || job.endedAt !== undefined) return ['gone']
      job.endedAt = shell.now()
      job.code = third === 'KILL' ? 137 : 143
      return ['ended']
    }
    default:
      return []
  }
}

/** Returns the answer of a sandbox machine to the application's questions about jobs (src/shared/job-script.ts). */
export async function jobsAnswer(questions: readonly JobQuestion[], shell: Shell, run: Run): Promise<string> {
  const lines = [`boot ${bootOf(shell)} ${String(shell.now())}`]
  for (const question of questions) lines.push(...(await answerOne(question, shell, run)))
  return [...lines, '', 'end', ''].join('\n')
}
