/** Seconds before the first attempt to come back, and the longest pause. */
const firstPauseSeconds = 5
const longestPauseSeconds = 600

/**
 * Seconds before attempt number `attempt` (from 1) to come back to a machine that was lost: growing up to `longest`, and
 * scattered by `random` (0 to 1), so that fifty machines behind one broken line do not come back in the same second.
 */
export const pauseBefore = (attempt: number, random: number, longest = longestPauseSeconds): number =>
  Math.min(longest, firstPauseSeconds * 2 ** Math.min(attempt - 1, 20)) * (0.8 + 0.4 * random)
