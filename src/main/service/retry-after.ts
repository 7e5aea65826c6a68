import { FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'

/** Longest pause in seconds that a request waits for. */
export const shortPauseSeconds = 5
/** Longest total wait of a request in seconds, over all its pauses. */
export const retryTimeoutSeconds = 3 * shortPauseSeconds
const maxRepeats = 5

/** Whether the service refused the request for a pause that ends soon. `now` is epoch seconds. */
const isShortPause = (error: unknown, now: number): boolean => {
  const failure = error instanceof FailureError ? error.failure : undefined
  return (
    failure?.kind === 'rate-limited' &&
    failure.until !== undefined &&
    failure.until - now <= shortPauseSeconds
  )
}

/** Repeats a reading that was refused for a short pause; `read` waits for its end. Fails as the last attempt. */
export async function throughShortPauses<Answer>(
  read: () => Promise<Answer>,
  now: Clock['now'],
): Promise<Answer> {
  const deadline = now() + retryTimeoutSeconds
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await read()
    } catch (error) {
      if (repeats === maxRepeats || now() >= deadline || !isShortPause(error, now())) throw error
    }
  }
}
