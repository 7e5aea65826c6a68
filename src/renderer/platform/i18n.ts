import { createI18n } from 'vue-i18n'
import { ref } from 'vue'
import { followLocale, languages, messageLanguage, type Values, withCount } from '#shared/locale'
import { en } from '#shared/messages/en/index'

export const i18n = createI18n({
  legacy: false,
  ...{ locale: languages[0], fallbackLocale: languages[0], messages: { en } },
})

/** A BCP 47 tag: everything on screen is of it, or of the nearest language that there are messages in. */
const locale = ref<string>(languages[0])
followLocale(() => locale.value)

/** At run time too: what is shown changes at once. */
export function setLocale(tag: string): void {
  locale.value = tag
  i18n.global.locale.value = messageLanguage(tag, [languages[0], ...i18n.global.availableLocales])
  document.documentElement.lang = tag
}

/** The paths of all messages, so that a word nobody wrote does not compile. */
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
export type MessagePath = Paths<typeof en>

/** The words at a path. `values` fill its braces; `count` picks the plural form and is also the value `count`. */
export const t = (path: MessagePath, values: Values = {}, count?: number): string =>
  count === undefined ? tPath(path, values) : i18n.global.t(path, withCount({ count, ...values }), count)

/** For paths that are put together elsewhere (failure-text.ts). */
export const tPath = (path: string, values: Values = {}): string => i18n.global.t(path, withCount(values))
