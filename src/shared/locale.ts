/**
 * The one locale of the application: dates, numbers, sorting and messages follow it. Each process sets its source
 * once (`followLocale`). Formatters always use the current locale.
 */
let source = (): string => 'en'

/** In the window `read` is reactive, so a change updates everything on screen. */
export function followLocale(read: () => string): void {
  source = read
}

/** A BCP 47 tag. */
export const currentLocale = (): string => source()

/** Caches a formatter until the locale or the result of `zone` changes. */
export function perLocale<Format>(
  make: (locale: string) => Format,
  zone: () => string = () => '',
): () => Format {
  let cached: { readonly locale: string; readonly zone: string; readonly format: Format } | undefined
  return () => {
    const locale = source()
    const currentZone = zone()
    if (cached?.locale !== locale || cached.zone !== currentZone)
      cached = { locale, zone: currentZone, format: make(locale) }
    return cached.format
  }
}

const halfYears = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]
/**
 * Changes with the computer's time zone, such as on a journey: its offsets from UTC in winter and summer. Formatters
 * keep the zone in which they were made.
 */
const systemZone = (): string => halfYears.map((at) => new Date(at).getTimezoneOffset()).join(' ')

export function numberFormat(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  const format = perLocale((locale) => new Intl.NumberFormat(locale, options))
  return (value) => format().format(value)
}

export const formatCount = numberFormat({ maximumFractionDigits: 0 })

export type Values = Readonly<Record<string, string | number>>

/** Formats `count` with grouped thousands (1,003). Other numbers may be ports or years. */
export const withCount = (values: Values): Record<string, string | number> =>
  typeof values.count === 'number' ? { ...values, count: formatCount(values.count) } : { ...values }

/** Formats epoch seconds, in the computer's zone unless `options` names another. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = perLocale(
    (locale) => new Intl.DateTimeFormat(locale, options),
    options.timeZone === undefined ? systemZone : undefined,
  )
  return (at) => format().format(at * 1000)
}

/** Formats the time of day of epoch seconds as the locale does: 18:00 or 6:00 PM. */
export const clockTime = dateFormat({ timeStyle: 'short' })

/** Returns the form of a text in which searches compare: composed Unicode (a decomposed "é" matches), lower case. */
export const searchText = (text: string): string => text.normalize('NFC').toLowerCase()

/** Compares texts for sorting. Numbers inside them compare as numbers: node-2 before node-10. */
export const textOrder = perLocale(
  (locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }).compare,
)

const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** Returns the language of messages for the locale `tag`. The first of `languages` is the fallback. */
export const messageLanguage = <Language extends string>(
  tag: string,
  languages: readonly [Language, ...Language[]],
): Language =>
  languages.find((language) => language === tag) ??
  languages.find((language) => languageOf(language) === languageOf(tag)) ??
  languages[0]

const isTag = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/**
 * Returns the locale for the user's setting: a tag, or `system` for the first system locale that has messages, so
 * that words and numbers use the same language. A language without a region uses the system's region, if it has one.
 */
export function resolveLocale(
  setting: string,
  system: readonly string[],
  languages: readonly [string, ...string[]],
): string {
  if (setting !== 'system' && isTag(setting)) {
    const isLanguage = languageOf(setting) === setting
    return (isLanguage && system.find((tag) => isTag(tag) && languageOf(tag) === setting)) || setting
  }
  const known = new Set(languages.map(languageOf))
  return system.find((tag) => isTag(tag) && known.has(languageOf(tag))) ?? languages[0]
}

/** Languages of messages, one folder each; the first is the fallback. */
export const languages = ['en', 'de', 'es', 'fr', 'ja', 'zh-CN'] as const
export type Language = (typeof languages)[number]

/** Names of the languages for their readers. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  'zh-CN': '简体中文',
}
