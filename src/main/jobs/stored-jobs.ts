import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Job, maxJobs } from '#shared/bridge/job'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import type { Sections } from '../store/settings'

const JobDocument = z.object({ jobs: z.array(Job).default([]) })

/** Drops the oldest jobs of an account that has too many, except running jobs. Pure. */
function limited(jobs: readonly Job[]): Job[] {
  const counts = new Map<AccountId, number>()
  return jobs
    .toReversed()
    .filter(({ account, state }) => {
      const count = (counts.get(account) ?? 0) + 1
      counts.set(account, count)
      return count <= maxJobs.account || state.kind === 'running'
    })
    .toReversed()
}

/** Keeps the jobs of all accounts as a private document, the newest last, and reports the accounts of changed jobs. */
export function openJobs(documents: Sections) {
  const section = documents.section('jobs', JobDocument)
  const changes = createEmitter<AccountId>()
  const all = (): readonly Job[] => section.read().jobs
  async function change(update: (jobs: readonly Job[]) => readonly Job[]): Promise<void> {
    const before = all()
    const written = section.change(({ jobs }) => ({ jobs: limited(update(jobs)) }))
    for (const account of new Set([...before, ...all()].map((job) => job.account))) changes.emit(account)
    await written
  }
  section.onLoad(() => {
    for (const account of new Set(all().map((job) => job.account))) changes.emit(account)
  })
  const find = (account: AccountId, id: string): Job | undefined =>
    all().find((job) => job.account === account && job.id === id)
  return {
    all,
    change,
    ready: section.ready,
    find,
    /** Fails with invalid-input (job). */
    get(account: AccountId, id: string): Job {
      const job = find(account, id)
      if (!job) throw new FailureError({ kind: 'invalid-input', field: 'job', reason: 'unknown' })
      return job
    },
    onChange: changes.on,
  }
}
export type OpenJobs = ReturnType<typeof openJobs>
