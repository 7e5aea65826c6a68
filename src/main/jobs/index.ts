import { randomBytes } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import {
  type Job,
  type jobCalls,
  type jobEvents,
  type JobView,
  maxJobs,
  type WatchOutcome,
  type JobLog,
} from '#shared/bridge/job'
import { createEmitter } from '#shared/emitter'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { forgetGone, type ForgetGoneDeps } from '../fleet/forget-gone'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import type { Sections } from '../store/settings'
import { createConclusions, type ConclusionsDeps } from './conclude'
import { askSeconds } from './machine-jobs'
import { createJobRequests, type JobUse } from './requests'
import { type OpenJobs, openJobs } from './stored-jobs'
import { createWatchedMachines, isRunning, type WatchedMachines } from './watched-machines'

export interface JobsDeps extends Pick<ForgetGoneDeps, 'fleet' | 'onGone' | 'details'>, ConclusionsDeps {
  readonly documents: Sections
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has' | 'hasAll' | 'onChange'>
  /** Epoch seconds since which the GPUs are idle, for at least so many minutes; null: they are not, or it is unknown. */
  idleSince(account: AccountId, machine: string, minutes: number): number | null
  readonly clock: Clock
  readonly report: ReportError
}

/** Minutes without GPU work that a running job waits for; null: it waits for a program. */
const idleMinutesOf = (job: Job): number | null =>
  isRunning(job) && job.subject.kind === 'idle' ? job.subject.minutes : null

type WatchInput = CallInput<'jobs.watch'>

/** Counts the jobs of each machine that are about to begin, so that parallel ones stay within the limit. */
function countBeginnings() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    async during<Result>(key: string, begin: () => Promise<Result>): Promise<Result> {
      counts.set(key, of(key) + 1)
      try {
        return await begin()
      } finally {
        counts.set(key, of(key) - 1)
      }
    },
  }
}

/** Reads a log. The user looks at it, so that its end must not wait for the next minute. */
async function readLog(
  job: Job,
  { log }: Pick<ReturnType<typeof createJobRequests>, 'log'>,
  { askNow }: Pick<WatchedMachines, 'askNow'>,
): Promise<JobLog> {
  const read = await log(job)
  askNow(job)
  return read
}

/**
 * Returns a function that lists the running processes, panes and commands of a machine. A job that may no longer be asked
 * about is left out, since its end would never be known.
 */
const createRunningOn =
  ({ ready }: Pick<OpenJobs, 'ready'>, { runningOn, view }: Pick<WatchedMachines, 'runningOn' | 'view'>) =>
  async (account: AccountId, machine: string): Promise<readonly Job[]> => {
    await ready()
    return runningOn(account, machine).filter((job) => job.subject.kind !== 'idle' && view(job).isAllowed)
  }

/** Watches processes, panes, commands and idle GPUs until they end, and notifies the user then. */
export function createJobs(deps: JobsDeps) {
  const { clock, consents, report } = deps
  const jobs = openJobs(deps.documents)
  const changes = createEmitter<EventPayload<'jobs.changed'>>()
  const closing = new AbortController()
  const requests = createJobRequests(deps, closing.signal)
  const conclusions = createConclusions(deps, jobs, closing.signal)
  const machines = createWatchedMachines(deps, jobs.all, conclusions.answered, emit)
  let cancelIdleCheck = (): void => undefined
  const beginnings = countBeginnings()
  const now = (): number => Math.floor(clock.now())
  const view = (job: Job): JobView => ({ ...job, ...machines.view(job) })
  const ofAccount = (account: AccountId): readonly Job[] =>
    jobs.all().filter((job) => job.account === account)
  const list = (account: AccountId): JobView[] => ofAccount(account).map(view).reverse()
  function emit(account: AccountId): void {
    changes.emit({ account, jobs: list(account) })
  }

  async function checkIdle(): Promise<void> {
    cancelIdleCheck()
    if (closing.signal.aborted) return
    const waiting = jobs.all().filter((job) => idleMinutesOf(job) !== null)
    if (waiting.length === 0) return
    cancelIdleCheck = clock.after(askSeconds.usual, () => void checkIdle())
    for (const job of waiting) {
      if (deps.idleSince(job.account, job.machine, idleMinutesOf(job) ?? 0) !== null)
        await conclusions.conclude(job, { kind: 'ended', at: now(), code: null })
    }
  }

  async function watch(input: WatchInput, use: JobUse = 'attended'): Promise<WatchOutcome> {
    const { account, machine, target } = input
    if (target.kind !== 'idle' && !consents.has(account, machine, 'jobs'))
      return { kind: 'refused', why: 'no-consent' }
    const key = resourceKey(account, machine)
    if (machines.runningOn(account, machine).length + beginnings.of(key) >= maxJobs.machine)
      return { kind: 'refused', why: 'too-many' }
    const begun = await beginnings.during(key, () => requests.begin(account, machine, target, use))
    if ('kind' in begun) return begun
    const job: Job = {
      id: randomBytes(8).toString('hex'),
      account,
      machine,
      machineName: deps.machine(account, machine)?.name ?? machine,
      state: { kind: 'running' },
      ...begun,
    }
    await jobs.change((all) => [...all, job])
    if (target.kind === 'idle') void checkIdle()
    return { kind: 'watching', job: view(job) }
  }

  const handlers: HandlersOf<typeof jobCalls> = {
    'jobs.list': ({ account }) => jobs.ready().then(() => list(account)),
    'jobs.processes': ({ account, machine }) => requests.processes(account, machine),
    'jobs.panes': ({ account, machine }) => requests.panes(account, machine),
    'jobs.watch': (input) => watch(input),
    'jobs.log': ({ account, job }) => readLog(jobs.get(account, job), requests, machines),
    'jobs.end': async ({ account, job: id, signal }) => {
      const job = jobs.get(account, id)
      const outcome = await requests.end(job, signal)
      machines.askNow(job)
      return outcome
    },
    'jobs.remove': ({ account, job }) =>
      jobs.change((all) => all.filter((one) => one.account !== account || one.id !== job)),
  }
  const events: EventsOf<typeof jobEvents> = { 'jobs.changed': changes.on }

  /** Jobs of a deleted machine are lost; jobs that had ended are dropped with it. */
  async function forget(account: AccountId, ids: readonly string[]): Promise<void> {
    const affected = ofAccount(account).filter(({ machine }) => ids.includes(machine))
    for (const job of affected.filter(isRunning))
      await conclusions.conclude(job, { kind: 'lost', at: now(), why: 'machine-gone' })
    const dropped = new Set(affected.filter((job) => !isRunning(job)).map(({ id }) => id))
    if (dropped.size > 0) await jobs.change((all) => all.filter(({ id }) => !dropped.has(id)))
  }
  function follow(account: AccountId): void {
    machines.reconcile()
    emit(account)
  }
  const unsubscribe = [
    jobs.onChange(follow),
    consents.onChange(({ account }) => follow(account)),
    forgetGone({
      fleet: deps.fleet,
      onGone: deps.onGone,
      remembered: (account) =>
        ofAccount(account)
          .filter(({ state }) => state.kind !== 'lost')
          .map(({ machine }) => machine),
      isListed: (account, id) => deps.machine(account, id) !== undefined,
      details: deps.details,
      forget,
      report: (error) => report('jobs.forget', error),
    }),
  ]

  return defineModule({
    handlers,
    events,
    list,
    page: deps.destination,
    watch,
    runningOn: createRunningOn(jobs, machines),
    /** Epoch seconds of the end of a job; null: it runs; `lost`: it can't be followed any more, or is not in the list. */
    endOf(account: AccountId, id: string): number | null | 'lost' {
      const state = jobs.find(account, id)?.state
      if (state?.kind === 'running') return null
      return state?.kind === 'ended' ? state.at : 'lost'
    },
    start: (): void =>
      void jobs.ready().then(() => {
        machines.reconcile()
        return checkIdle()
      }),
    forgetAccount: (account: AccountId): Promise<void> =>
      jobs.change((all) => all.filter((job) => job.account !== account)),
    close(): void {
      closing.abort()
      cancelIdleCheck()
      unsubscribe.forEach((stop) => stop())
      machines.close()
    },
  })
}
export type Jobs = ReturnType<typeof createJobs>
