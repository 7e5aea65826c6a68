import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { JobId } from '#shared/bridge/billing'
import { bridge } from '../platform/bridge'

/** Something long that the main process does for the window. */
export interface BillingJob {
  readonly id: JobId
  /** Entries; `total` is null where the service does not say, `done` until the first came. */
  readonly done: number | null
  readonly total: number | null
}

/** Totals and exports under way, by what they are made for: a page that is opened again finds its own. */
export const useBillingJobs = defineStore('billing-jobs', () => {
  const running = shallowReactive(new Map<string, BillingJob>())

  function start(): void {
    bridge.on('billing.progress', ({ job, done, total }) => {
      for (const [key, { id }] of running) if (id === job) running.set(key, { id, done, total })
    })
  }

  const cancel = async (key: string): Promise<void> => {
    const job = running.get(key)
    if (job) await bridge.call('billing.cancel', { job: job.id })
  }

  /** One at a time under a key; fails as `work` does. */
  async function run<Output>(key: string, work: (job: JobId) => Promise<Output>): Promise<Output> {
    const id = crypto.randomUUID()
    running.set(key, { id, done: null, total: null })
    try {
      return await work(id)
    } finally {
      if (running.get(key)?.id === id) running.delete(key)
    }
  }

  return { running, start, run, cancel }
})
