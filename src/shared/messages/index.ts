import { currentLocale, languages, messageLanguage, type Values } from '../locale'
import { en } from './en/index'
import { formatMessage, messageAt, type MessageTree } from './format'
import { translations } from './translations'

const trees = new Map<string, MessageTree>([[languages[0], en]])

/** Loads the messages for the locale `tag`, so that `translate` can use them. */
export async function loadMessages(tag: string): Promise<void> {
  const language = messageLanguage(tag, languages)
  if (language === 'en' || trees.has(language)) return
  const { first, later } = translations[language]
  trees.set(language, { ...(await first()), ...(await later()) })
}

/**
 * Returns a message outside the window (tray, menu, notifications) in the current locale, by its path in messages/en.
 * `values` fill its braces; `count` also picks the plural form.
 */
export function translate(path: string, values: Values = {}): string {
  const message =
    messageAt(trees.get(messageLanguage(currentLocale(), languages)), path) ?? messageAt(en, path)
  if (message === undefined) return path
  return formatMessage(message, values, typeof values.count === 'number' ? values.count : undefined)
}
