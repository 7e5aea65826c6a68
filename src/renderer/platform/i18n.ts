import { createI18n } from 'vue-i18n'
import { en } from '#shared/messages/en/index'

export const i18n = createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', messages: { en } })

/** The paths of all messages, so that a word nobody wrote does not compile. */
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
export type MessagePath = Paths<typeof en>

export type Values = Readonly<Record<string, string | number>>

/** The words at a path. `values` fill its braces; `count` picks the plural form and is also the value `count`. */
export const t = (path: MessagePath, values: Values = {}, count?: number): string =>
  count === undefined ? i18n.global.t(path, { ...values }) : i18n.global.t(path, { ...values }, count)

/** For paths that are put together elsewhere (failure-text.ts). */
export const tPath = (path: string, values: Values = {}): string => i18n.global.t(path, { ...values })
