import { durationText } from '#shared/messages/duration-text'
import { dateFormat } from '#shared/locale'
import { t, tPath } from './i18n'

/** Epoch seconds as a date and time of this computer's zone. */
export const exactTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

/** Epoch seconds as a time of day. */
export const timeOfDay = dateFormat({ timeStyle: 'medium' })

/** A length of time in seconds. */
export const duration = (seconds: number): string => durationText(seconds, tPath)

/** How long ago epoch seconds were. */
export const ago = (at: number, now: number): string =>
  now - at < 1 ? t('common.now') : t('common.ago', { duration: duration(now - at) })
