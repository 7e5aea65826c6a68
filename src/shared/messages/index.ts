import {
  compile,
  createCoreContext,
  registerMessageCompiler,
  registerMessageResolver,
  resolveValue,
  translate as translateIn,
} from '@intlify/core'
import { currentLocale, languages, messageLanguage, type Values, withCount } from '../locale'
import { en } from './en/index'

// The package registers these itself, in a statement that bundlers drop because it says that it has no side effects.
registerMessageCompiler(compile)
registerMessageResolver(resolveValue)

const context = createCoreContext({ locale: languages[0], fallbackLocale: languages[0], messages: { en } })

/**
 * A message outside the window (tray, menu, notifications) in the current locale, by its path in messages/en. `values`
 * fill its braces; `count` also picks the plural form. The window uses vue-i18n over the same table.
 */
export function translate(path: string, values: Values = {}): string {
  const { count } = values
  const locale = messageLanguage(currentLocale(), languages)
  const options = typeof count === 'number' ? { locale, plural: count } : { locale }
  const text = translateIn(context, path, withCount(values), options)
  return typeof text === 'string' ? text : path
}
