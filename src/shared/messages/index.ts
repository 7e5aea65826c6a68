import { currentLocale, languages, messageLanguage, type Values } from '../locale'
import { en } from './en/index'
import { formatMessage, messageAt } from './format'

const trees = { en }

/**
 * Returns a message outside the window (tray, menu, notifications) in the current locale, by its path in messages/en.
 * `values` fill its braces; `count` also picks the plural form.
 */
export function translate(path: string, values: Values = {}): string {
  const message =
    messageAt(trees[messageLanguage(currentLocale(), languages)], path) ??
    messageAt(trees[languages[0]], path)
  if (message === undefined) return path
  return formatMessage(message, values, typeof values.count === 'number' ? values.count : undefined)
}
