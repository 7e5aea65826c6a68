import type { MessagePath, Values } from '../app/i18n'

/** A message and what fills it. */
export interface Words {
  readonly path: MessagePath
  readonly values: Values
}

/** A length of time in seconds as its two largest units: `2 d 4 h`, `11 h`, `5 min`, `12 s`. Never negative. */
export function durationWords(length: number): Words {
  const seconds = Math.max(0, Math.floor(length))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (minutes === 0) return { path: 'common.duration.seconds', values: { seconds } }
  if (hours === 0) return { path: 'common.duration.minutes', values: { minutes } }
  if (days === 0) {
    return minutes % 60 === 0
      ? { path: 'common.duration.hours', values: { hours } }
      : { path: 'common.duration.hoursMinutes', values: { hours, minutes: minutes % 60 } }
  }
  return hours % 24 === 0 || days >= 7
    ? { path: 'common.duration.days', values: { days } }
    : { path: 'common.duration.daysHours', values: { days, hours: hours % 24 } }
}
