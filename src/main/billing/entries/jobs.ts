import type { JobId } from '#shared/bridge/billing'
import { FailureError } from '#shared/failure'

/** Work that the window started under a name and may cancel. */
export function createJobs() {
  const running = new Map<JobId, AbortController>()
  return {
    /** Fails as `work` does, with cancelled once it was cancelled, and with invalid-input (job) for a name in use. */
    async run<Value>(job: JobId, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
      if (running.has(job)) {
        throw new FailureError({ kind: 'invalid-input', field: 'job', reason: 'already-there' })
      }
      const controller = new AbortController()
      running.set(job, controller)
      try {
        return await work(controller.signal)
      } finally {
        running.delete(job)
      }
    },
    cancel(job: JobId): void {
      running.get(job)?.abort()
    },
    close: (): void => running.forEach((controller) => controller.abort()),
  }
}

/** Fails with cancelled if `signal` is aborted. */
export function stopIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new FailureError({ kind: 'cancelled' })
}
