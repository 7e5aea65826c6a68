import type { SnoozeLength } from '#shared/bridge/alert'
import { assertNever } from '#shared/assert-never'

const morningHour = 9
const daySeconds = 86_400

/** Whether a snooze holds. If it ends more than a week and a day from `now`, the clock was set back: it is over. */
export const isSnoozed = (until: number | null, now: number): boolean =>
  until !== null && until > now && until <= now + 8 * daySeconds

/** Returns the end of a snooze in epoch seconds. Tomorrow depends on this computer's time zone. */
export function snoozeEnd(length: SnoozeLength, now: number): number {
  switch (length) {
    case 'hour':
      return now + 3_600
    case 'week':
      return now + 7 * daySeconds
    case 'tomorrow': {
      const today = new Date(now * 1000)
      // A day may have 23 or 25 hours, so the calendar computes the end.
      return (
        new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, morningHour).getTime() / 1000
      )
    }
    default:
      return assertNever(length)
  }
}
