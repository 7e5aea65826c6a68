import {
  compile,
  createCoreContext,
  registerMessageCompiler,
  registerMessageResolver,
  resolveValue,
  translate as translateIn,
} from '@intlify/core'
import { en } from './en/index'

// The package registers these itself, in a statement that bundlers drop because it says that it has no side effects.
registerMessageCompiler(compile)
registerMessageResolver(resolveValue)

const context = createCoreContext({ locale: 'en', messages: { en } })

/**
 * The words of a message outside the window (tray, menu, notifications), by its path in messages/en. `values` fill its
 * braces; `count` also picks the plural form. The window uses vue-i18n over the same table.
 */
export function translate(path: string, values: Readonly<Record<string, string | number>> = {}): string {
  const count = values.count
  const text =
    typeof count === 'number'
      ? translateIn(context, path, { ...values }, count)
      : translateIn(context, path, { ...values })
  return typeof text === 'string' ? text : path
}
