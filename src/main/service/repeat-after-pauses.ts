import { FailureError } from '#shared/failure'

/** Seconds of a pause that a reading waits for by itself: no longer than a person waits for an answer anyway. */
const patience = 5
/** How often it does so: a service that answers only some requests is not asked for ever. */
const mostWaits = 5

/** Whether nothing was done because the service asked for a pause whose end is known. */
const isPause = (error: unknown): boolean =>
  error instanceof FailureError && error.failure.kind === 'rate-limited' && error.failure.until !== undefined

/**
 * Does a reading, and once more after the end of a short pause that has refused it. `resumes` waits for that end: false
 * where it takes more seconds than `within`. Fails as `read` did last.
 */
export async function repeatAfterPauses<Answer>(
  read: () => Promise<Answer>,
  resumes: (within: number) => Promise<boolean>,
): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await read()
    } catch (error) {
      if (!isPause(error) || waits === mostWaits || !(await resumes(patience))) throw error
    }
  }
}
