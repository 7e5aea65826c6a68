import { randomBytes } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { CommandState } from '#shared/bridge/command'
import type { MachineView } from '#shared/bridge/fleet'
import type { Job, JobLog, JobTarget, TmuxPane, UserProcess, WatchOutcome } from '#shared/bridge/job'
import type { EndOutcome } from '#shared/bridge/process'
import { endProcessScript, type EndRequest } from '#shared/end-process'
import { FailureError } from '#shared/failure'
import { type JobQuestion, jobScript } from '#shared/job-script'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { execOnMachine } from '../commands/machine-run'
import { endOutcome } from '../commands/processes'
import type { Clock } from '../core/clock'
import { cut, oneLine } from '../core/one-line'
import { maskedCommand } from '../core/masked-command'
import { connectionLimits } from '../ssh/client/target'
import type { SshMachines } from '../ssh/machines/index'
import { describedOf, type JobAnswer, panesOf, processesOf, readAnswer, startedOf } from './answer'
import { logOf } from '../core/log-text'

export interface JobRequestsDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly clock: Clock
}

type Asked = { readonly answer: JobAnswer } | { readonly state: CommandState }
type Stopped = { readonly kind: 'stopped'; readonly state: CommandState }
/** Parts of a job that depend on its subject. */
type Begun = Pick<Job, 'name' | 'subject' | 'boot' | 'since'>
type NotBegun = Exclude<WatchOutcome, { kind: 'watching' }>

const maxLength = { name: 80, reason: 300 } as const

/** Returns the question about a running job; null: no machine is asked. Pure. */
export function stateQuestion({ id, subject }: Job): JobQuestion | null {
  if (subject.kind === 'idle') return null
  if (subject.kind === 'command') return ['command_state', id, subject.id]
  const { pid, start } = subject.process
  return subject.kind === 'pane'
    ? ['pane_state', id, String(pid), start, subject.socket, subject.pane]
    : ['process_state', id, String(pid), start]
}
/** Returns the question that starts a command as `id`, or describes what to watch. Pure. */
function beginQuestion(target: Exclude<JobTarget, { kind: 'idle' }>, id: string): JobQuestion {
  switch (target.kind) {
    case 'command':
      return ['start_job', id, target.command]
    case 'pane':
      return ['describe_pane', target.socket, target.pane]
    case 'process':
      return ['describe', String(target.pid)]
  }
}
/** Returns the question for the log of a job; null: it has none. Pure. */
export function logQuestion({ subject }: Job): JobQuestion | null {
  switch (subject.kind) {
    case 'command':
      return ['log_command', subject.id]
    case 'pane':
      return ['log_pane', subject.socket, subject.pane]
    case 'process':
      return subject.log === null ? null : ['log_file', subject.log]
    case 'idle':
      return null
  }
}
const nameOf = (text: string): string => cut(oneLine(maskedCommand(text)).trim(), maxLength.name)

/** Returns a started command; the reason if it did not start. Pure. */
function begunCommand(command: string, id: string, answer: JobAnswer): Begun | NotBegun {
  const started = startedOf(answer)
  if (!started)
    return { kind: 'failed', reason: cut(oneLine(answer.lines.join(' ')).trim(), maxLength.reason) }
  const { process, isInTmux, at } = started
  return {
    name: nameOf(command.trim().split('\n')[0] ?? ''),
    subject: { kind: 'command', process, command: maskedCommand(command), id, isInTmux },
    boot: answer.boot,
    since: at,
  }
}

/** Returns a described process or pane; a refusal if another process has its PID now. Pure. */
function begunProcess(
  target: Exclude<JobTarget, { kind: 'idle' | 'command' }>,
  answer: JobAnswer,
  since: number,
): Begun | NotBegun {
  const described = describedOf(answer)
  if (!described) return { kind: 'refused', why: target.kind === 'pane' ? 'no-pane' : 'no-process' }
  const { process, command, label, log } = described
  // Without the folder of the program, which is long.
  const name = nameOf(command.replace(/^\S*\/(?=\S)/, '')) || String(process.pid)
  const common = { name, boot: answer.boot, since }
  if (target.kind === 'pane') {
    const { socket, pane } = target
    return { ...common, subject: { kind: 'pane', process, command, socket, pane, label } }
  }
  const { start = process.start, user = process.user } = target
  return start === process.start && user === process.user
    ? { ...common, subject: { kind: 'process', process, command, log } }
    : { kind: 'refused', why: 'no-process' }
}

/**
 * Whether the user may be asked for a passphrase or about a host key. `ordered`: not asked, but the user ordered the command
 * before the machine existed, so its first host key is recorded as for a command of the user.
 */
export type JobUse = 'attended' | 'ordered' | 'unattended'

/** Use of the connection for a request; undefined: as for an action of the user. */
const connectionUse = (use: JobUse) =>
  use === 'attended'
    ? undefined
    : ({ purpose: 'jobs', mayAsk: () => false, trustsFirstKey: () => use === 'ordered' } as const)

/** Requests of the user about jobs, each in a script of its own. `signal` aborts when the application closes. */
export function createJobRequests({ machine, sshMachines, clock }: JobRequestsDeps, signal: AbortSignal) {
  const now = (): number => Math.floor(clock.now())

  async function ask(
    account: AccountId,
    id: string,
    question: JobQuestion,
    use: JobUse = 'attended',
  ): Promise<Asked> {
    const connection = connectionUse(use)
    const view = machine(account, id)
    const why = view ? sshDisabledReason(view) : 'gone'
    if (why) return { state: { kind: 'unavailable', why } }
    const target = {
      account,
      machine: id,
      acquire: sshMachines.acquire,
      ...(connection && { use: connection }),
    }
    const result = await execOnMachine(target, signal, jobScript([question]))
    if ('state' in result) return result
    const { outcome } = result
    if (outcome.kind === 'timed-out')
      return {
        state: {
          kind: 'timed-out',
          seconds: connectionLimits.command,
          ...(outcome.isLogin && { beforeStart: true }),
          ...(!outcome.isLogin && question[0] === 'start_job' && { mayRun: true }),
        },
      }
    if (outcome.kind === 'not-begun') return { state: outcome }
    const answer = readAnswer(outcome.stdout, now())
    if (answer) return { answer }
    return outcome.isRefused
      ? { state: { kind: 'refused', reason: outcome.stderr } }
      : { state: { kind: 'exited', code: outcome.status } }
  }

  return {
    async processes(
      account: AccountId,
      id: string,
    ): Promise<{ kind: 'processes'; processes: UserProcess[] } | Stopped> {
      const asked = await ask(account, id, ['processes'])
      return 'state' in asked
        ? { kind: 'stopped', state: asked.state }
        : { kind: 'processes', processes: processesOf(asked.answer) }
    },
    async panes(account: AccountId, id: string): Promise<{ kind: 'panes'; panes: TmuxPane[] } | Stopped> {
      const asked = await ask(account, id, ['panes'])
      return 'state' in asked
        ? { kind: 'stopped', state: asked.state }
        : { kind: 'panes', panes: panesOf(asked.answer) }
    },
    /** Finds what to watch on the machine, or starts it. */
    async begin(account: AccountId, id: string, target: JobTarget, use?: JobUse): Promise<Begun | NotBegun> {
      if (target.kind === 'idle')
        return { name: '', subject: { kind: 'idle', minutes: target.minutes }, boot: '', since: now() }
      const folder = randomBytes(8).toString('hex')
      const asked = await ask(account, id, beginQuestion(target, folder), use)
      if ('state' in asked) return { kind: 'stopped', state: asked.state }
      return target.kind === 'command'
        ? begunCommand(target.command, folder, asked.answer)
        : begunProcess(target, asked.answer, now())
    },
    async log(job: Job): Promise<JobLog> {
      const question = logQuestion(job)
      if (!question) return { kind: 'none' }
      const asked = await ask(job.account, job.machine, question)
      return 'state' in asked ? { kind: 'stopped', state: asked.state } : logOf(asked.answer.lines)
    },
    async end({ account, machine: id, subject }: Job, sent: EndRequest['signal']): Promise<EndOutcome> {
      if (subject.kind === 'idle')
        throw new FailureError({ kind: 'invalid-input', field: 'job', reason: 'unknown' })
      const { pid, start } = subject.process
      const script =
        subject.kind === 'command'
          ? jobScript([['end_command', String(pid), start, sent]])
          : endProcessScript({ ...subject.process, signal: sent })
      const use = { account, machine: id, acquire: sshMachines.acquire }
      const result = await execOnMachine(use, signal, script)
      return 'outcome' in result ? endOutcome(result.outcome) : { kind: 'unanswered', state: result.state }
    },
  }
}
