import { durationText } from '#shared/messages/duration-text'
import { t, tPath } from './i18n'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Epoch seconds as a date and time of this computer's zone. */
export const exactTime = (at: number): string => exact.format(at * 1000)

/** Seconds as words. */
export const duration = (seconds: number): string => durationText(seconds, tPath)

/** How long ago epoch seconds were. */
export const ago = (at: number, now: number): string =>
  now - at < 1 ? t('common.now') : t('common.ago', { duration: duration(now - at) })
