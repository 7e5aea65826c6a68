import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { JobId } from '#shared/bridge/billing'
import { bridge } from '../platform/bridge'

/** Progress of a total or export in the main process, in entries. */
export interface BillingJob {
  readonly id: JobId
  /** Null until the first entries arrive. */
  readonly done: number | null
  /** Null if the service does not report it. */
  readonly total: number | null
}

/** Running totals and exports, by a key of the page's choice. A page that is opened again finds its own. */
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

  /** Runs `work` under a key, one at a time. Fails as `work` does. */
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
