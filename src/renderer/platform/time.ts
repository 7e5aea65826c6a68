import { durationText } from '#shared/messages/duration-text'
import { dateFormat } from '#shared/locale'
import { t, tPath } from './i18n'

/** Formats epoch seconds as a date and time in this computer's zone. */
export const exactTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

/** Formats epoch seconds as a time of day. */
export const timeOfDay = dateFormat({ timeStyle: 'medium' })

export const duration = (seconds: number): string => durationText(seconds, tPath)

export const ago = (at: number, now: number): string =>
  now - at < 1 ? t('common.now') : t('common.ago', { duration: duration(now - at) })
