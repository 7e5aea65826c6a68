import type { SnoozeLength } from '#shared/bridge/alert'
import { assertNever } from '#shared/assert-never'

const morning = 9
const day = 86_400

/**
 * Whether a snooze still holds. One that ends later than any could since `now`, by more than a day, was begun before the
 * clock was set back: it is over, as its end is unknown.
 */
export const isSnoozed = (until: number | null, now: number): boolean =>
  until !== null && until > now && until <= now + 8 * day

/** When a snooze that begins at `now` is over, in epoch seconds; tomorrow is that of this computer's time zone. */
export function snoozeEnd(length: SnoozeLength, now: number): number {
  switch (length) {
    case 'hour':
      return now + 3_600
    case 'week':
      return now + 7 * day
    case 'tomorrow': {
      const today = new Date(now * 1000)
      // The day after may be 23 or 25 hours away: the calendar knows.
      return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, morning).getTime() / 1000
    }
    default:
      return assertNever(length)
  }
}
