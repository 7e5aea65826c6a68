const firstPauseSeconds = 5
const longestPauseSeconds = 600

/**
 * Returns the seconds before attempt number `attempt` (from 1) to reconnect. The pause doubles up to `longest`, and `random`
 * (0 to 1) scatters it, so that fifty machines behind one broken line don't reconnect in the same second.
 */
export const pauseBefore = (attempt: number, random: number, longest = longestPauseSeconds): number =>
  Math.min(longest, firstPauseSeconds * 2 ** Math.min(attempt - 1, 20)) * (0.8 + 0.4 * random)
