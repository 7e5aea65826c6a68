import type { AccountView } from '#shared/bridge/account'
import type { JobView } from '#shared/bridge/job'
import { translate } from '#shared/messages/index'
import { oneLine } from '../core/one-line'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'
import { table } from './table'
import { accountOutput, column, named, time } from './views'

/** Pause between two readings of a log. */
const pauseSeconds = 3
/** Characters of the earlier end of a log that find its place in the next reading. */
const overlap = 200

const codeOf = ({ state }: JobView): number | null => (state.kind === 'ended' ? state.code : null)

function stateText({ state, subject }: JobView): string {
  if (state.kind === 'lost') return translate(`jobs.lost.${state.why}`)
  if (state.kind === 'running') return translate('commandLine.jobRuns')
  if (subject.kind === 'idle') return translate('jobs.state.fell')
  if (state.code === null) return translate('jobs.state.ended')
  return state.code === 0 ? translate('jobs.state.done') : translate('jobs.state.code', { code: state.code })
}

/** Lists the jobs of the account, or of one machine. */
export async function jobs(context: Context, { words: [word] }: CommandInput): Promise<undefined> {
  const { call, text, terminal } = context
  const account = await context.account()
  const machine = word === undefined ? undefined : (await context.machine(account, word)).machine
  const all = await call('jobs.list', { account: account.id })
  const found = all.filter((job) => machine === undefined || job.machine === machine.id)
  const items = found.map((job) => ({
    id: job.id,
    machine: named({ id: job.machine, name: job.machineName }),
    name: job.name,
    state: job.state.kind,
    code: codeOf(job),
    since: job.since,
  }))
  context.show('jobs', { account: accountOutput(account), jobs: items }, () => {
    if (found.length === 0) return [text('noJobs')]
    const rows = found.map((job) => [
      job.id,
      job.machineName,
      oneLine(job.name),
      stateText(job),
      time(job.since) ?? text('none'),
    ])
    const head = ['id', 'machine', 'name', 'status', 'started'].map((key) => column(context, key))
    return table(head, rows, terminal.columns)
  })
}

/** Finds a job by its id, or the only one with a name. Fails with notFound. */
export async function jobNamed(
  { call, text }: Context,
  account: AccountView,
  word: string,
): Promise<JobView> {
  const all = await call('jobs.list', { account: account.id })
  const byId = all.find(({ id }) => id === word)
  const byName = all.filter(({ name }) => name === word)
  const [first] = byName
  if (byId) return byId
  if (first && byName.length === 1) return first
  throw new CommandFailure('notFound', text('errors.unknownJob', { name: oneLine(word) }))
}

/**
 * Returns the part of a log that is new since an earlier reading. Both are the ends of the log, so that a fast log may
 * have lost the place: the whole is new then. Pure.
 */
export function newPart(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length)
  const end = before.slice(-overlap)
  const at = after.lastIndexOf(end)
  return at === -1 ? after : after.slice(at + end.length)
}

/** Prints the end of a job's log; with `--follow` until the job ends. */
export async function logs(context: Context, { words: [word = ''], has }: CommandInput): Promise<undefined> {
  const { call, text, terminal } = context
  const account = await context.account()
  let job = await jobNamed(context, account, word)
  const read = async (): Promise<string | null> => {
    const log = await call('jobs.log', { account: account.id, job: job.id })
    if (log.kind === 'none') throw new CommandFailure('failed', text('errors.noLog'))
    return log.kind === 'log' ? log.text : null
  }
  let seen = ''
  let unfinished = ''
  const follow = (next: string): void => {
    const lines = (unfinished + newPart(seen, next)).split('\n')
    seen = next
    unfinished = lines.pop() ?? ''
    lines.map(oneLine).forEach(terminal.print)
  }
  const first = await read()
  if (first === null)
    throw new CommandFailure('failed', text('errors.noAnswer', { name: oneLine(job.machineName) }))
  if (!has('follow')) {
    context.show('logs', { job: job.id, text: first }, () => first.replace(/\n$/, '').split('\n'))
    return
  }
  follow(first)
  while (job.state.kind === 'running') {
    await terminal.wait(pauseSeconds)
    // Before the log, which then holds the last lines of a job that has ended.
    job = (await call('jobs.list', { account: account.id })).find(({ id }) => id === job.id) ?? {
      ...job,
      state: { kind: 'lost', at: context.now(), why: 'files-gone' },
    }
    follow((await read()) ?? seen)
  }
  if (unfinished !== '') terminal.print(oneLine(unfinished))
  terminal.report(stateText(job))
}
