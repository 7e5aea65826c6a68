import type { TranslatePath } from './failure-text'

/** Returns a duration in seconds in its two largest units: `2 d 4 h`, `11 h`, `5 min`, `12 s`. Never negative. */
export function durationText(length: number, translate: TranslatePath): string {
  const seconds = Math.max(0, Math.floor(length))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (minutes === 0) return translate('common.duration.seconds', { seconds })
  if (hours === 0) return translate('common.duration.minutes', { minutes })
  if (days === 0) {
    return minutes % 60 === 0
      ? translate('common.duration.hours', { hours })
      : translate('common.duration.hoursMinutes', { hours, minutes: minutes % 60 })
  }
  return hours % 24 === 0 || days >= 7
    ? translate('common.duration.days', { days })
    : translate('common.duration.daysHours', { days, hours: hours % 24 })
}

/**
 * Returns the time from `since` to `now` (epoch seconds), by the minute like the window's clock, so that it is the
 * same everywhere, even close to a whole day.
 */
export const durationSince = (since: number, now: number, translate: TranslatePath): string =>
  durationText(Math.floor(now / 60) * 60 - since, translate)
