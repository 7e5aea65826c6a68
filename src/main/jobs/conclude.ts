import type { AccountId } from '#shared/bridge/account'
import type { Destination } from '#shared/bridge/app'
import type { Job, JobLog, JobState } from '#shared/bridge/job'
import { translate } from '#shared/messages/index'
import type { MachineCost } from '../alerts/money-alerts'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import { lastLines, logOf } from '../core/log-text'
import type { MachineJobsDeps } from './machine-jobs'
import { costBetween, jobNotice } from './notice'
import { logQuestion } from './requests'
import type { OpenJobs } from './stored-jobs'
import { isRunning } from './watched-machines'

export interface ConclusionsDeps {
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  /** Page with the jobs of a machine. */
  destination(account: AccountId, machine: string): Destination
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

type Answered = Parameters<MachineJobsDeps['answered']>

/** Records the ends of jobs, and notifies the user of each once. */
export function createConclusions(deps: ConclusionsDeps, jobs: OpenJobs, closed: AbortSignal) {
  const { report } = deps

  async function concludeOnce(
    job: Job,
    state: Exclude<JobState, { kind: 'running' }>,
    ask?: Answered[2],
  ): Promise<void> {
    const { account, machine, id } = job
    const question = logQuestion(job)
    const answer = ask && question ? await ask([question]).catch(() => null) : null
    const log: JobLog = answer ? logOf(answer.lines) : { kind: 'none' }
    const costs = await deps.costsOf(account, [machine]).catch(() => null)
    const known = jobs.find(account, id)
    if (closed.aborted || !known || !isRunning(known)) return
    const done: Job = { ...known, state: { ...state, at: Math.max(job.since, state.at) } }
    // Stored first, so that a restart does not notify again.
    await jobs
      .change((all) => all.map((one) => (one.id === id ? done : one)))
      // Still notifies the user: the end stays in memory, so no later answer reports it.
      .catch((error: unknown) => report('jobs.save', error))
    const cost = costBetween(costs?.get(machine)?.perHour ?? null, job.since, state.at)
    const lines = log.kind === 'log' ? lastLines(log.text) : ''
    const words = jobNotice(done, cost, lines, translate)
    deps.showNotification('job', words, deps.destination(account, machine))
  }
  const conclude = (...job: Parameters<typeof concludeOnce>): Promise<void> =>
    concludeOnce(...job).catch((error: unknown) => report('jobs.save', error))

  return {
    conclude,
    /** Concludes the jobs of a machine that ended by its answer. */
    async answered(running: readonly Job[], ...[states, boot, ask]: Answered): Promise<void> {
      for (const job of running) {
        const state = states.get(job.id)
        if (!state || state.kind === 'running') continue
        const isUnknown = state.kind === 'ended' && state.code === null
        const isRebooted = isUnknown && job.boot !== '' && boot !== '' && job.boot !== boot
        await conclude(job, isRebooted ? { kind: 'lost', at: state.at, why: 'rebooted' } : state, ask)
      }
    },
  }
}
