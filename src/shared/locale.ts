/**
 * The one locale of the application: dates, numbers and the order of texts follow it, and the messages are in its
 * language. Each process sets where it is read from once (`followLocale`); what is formatted afterwards is formatted
 * in whatever locale holds at that moment, so nothing here keeps a formatter of another one.
 */
let source = (): string => 'en'

/** In the window `read` is reactive, so that everything on screen is formatted anew when it changes. */
export function followLocale(read: () => string): void {
  source = read
}

/** A BCP 47 tag. */
export const currentLocale = (): string => source()

/** Makes a formatter when it is first used in a locale, and another where `zone` answers something else. */
export function perLocale<Format>(
  make: (locale: string) => Format,
  zone: () => string = () => '',
): () => Format {
  let made: { readonly locale: string; readonly zone: string; readonly format: Format } | undefined
  return () => {
    const locale = source()
    const now = zone()
    if (made?.locale !== locale || made.zone !== now) made = { locale, zone: now, format: make(locale) }
    return made.format
  }
}

const halfYears = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]
/**
 * Another text where the computer's zone is another, as on a journey: by how many minutes its clocks are behind UTC in
 * winter and in summer. A formatter keeps the zone that it was made in.
 */
const systemZone = (): string => halfYears.map((at) => new Date(at).getTimezoneOffset()).join(' ')

export function numberFormat(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  const format = perLocale((locale) => new Intl.NumberFormat(locale, options))
  return (value) => format().format(value)
}

/** A whole number with its thousands grouped. */
export const formatCount = numberFormat({ maximumFractionDigits: 0 })

/** What fills the braces of a message. */
export type Values = Readonly<Record<string, string | number>>

/** With `count` as people write it: 1,003. Other numbers may be ports or years. */
export const withCount = (values: Values): Record<string, string | number> =>
  typeof values.count === 'number' ? { ...values, count: formatCount(values.count) } : { ...values }

/** Formats epoch seconds, in this computer's zone where `options` names none. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = perLocale(
    (locale) => new Intl.DateTimeFormat(locale, options),
    options.timeZone === undefined ? systemZone : undefined,
  )
  return (at) => format().format(at * 1000)
}

/** The order of texts in a list. Numbers inside them count as numbers: node-2 before node-10. */
export const textOrder = perLocale(
  (locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }).compare,
)

const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** The language of `languages` (the first is the fallback) that messages are in where the locale is `tag`. */
export const messageLanguage = <Language extends string>(
  tag: string,
  languages: readonly [Language, ...Language[]],
): Language =>
  languages.find((one) => one === tag) ??
  languages.find((one) => languageOf(one) === languageOf(tag)) ??
  languages[0]

const isTag = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/**
 * The locale by the person's setting: a tag, or `system` for the first of the system's that the application has
 * messages for, so that words and numbers on screen are of one language.
 */
export function resolveLocale(
  setting: string,
  system: readonly string[],
  languages: readonly [string, ...string[]],
): string {
  if (setting !== 'system' && isTag(setting)) return setting
  const known = new Set(languages.map(languageOf))
  return system.find((tag) => isTag(tag) && known.has(languageOf(tag))) ?? languages[0]
}

/** The languages that there are messages in, a folder each; the first is the fallback. */
export const languages = ['en'] as const
