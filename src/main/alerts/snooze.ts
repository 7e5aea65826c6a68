import type { SnoozeLength } from '#shared/bridge/alert'
import { assertNever } from '#shared/assert-never'

const morning = 9

/** When a snooze that begins at `now` is over, in epoch seconds; tomorrow is that of this computer's time zone. */
export function snoozeEnd(length: SnoozeLength, now: number): number {
  switch (length) {
    case 'hour':
      return now + 3_600
    case 'week':
      return now + 7 * 86_400
    case 'tomorrow': {
      const day = new Date(now * 1000)
      // The day after may be 23 or 25 hours away: the calendar knows.
      return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, morning).getTime() / 1000
    }
    default:
      return assertNever(length)
  }
}
