import { perLocale, type Values, withCount } from '../locale'

/** Messages by their path. */
export interface MessageTree {
  readonly [key: string]: string | MessageTree
}

/** Returns the message at a path like `common.actions.show`; undefined if there is none. */
export function messageAt(tree: MessageTree | undefined, path: string): string | undefined {
  let at: string | MessageTree | undefined = tree
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return typeof at === 'string' ? at : undefined
}

const pluralRules = perLocale((locale) => new Intl.PluralRules(locale))

/** Returns the index of the plural form: one and many; or none, one and many. */
function pluralForm(count: number, forms: number): number {
  if (forms > 2 && count === 0) return 0
  return pluralRules().select(count) === 'one' ? forms - 2 : forms - 1
}

/** Returns a message with its braces filled. ` | ` separates its forms; `count` picks one and fills `{count}` too. */
export function formatMessage(message: string, values: Values, count?: number): string {
  const forms = message.split(' | ')
  const form = forms.length === 1 ? message : (forms[pluralForm(count ?? 1, forms.length)] ?? message)
  const filled = withCount(count === undefined ? values : { count, ...values })
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(filled, name) ? String(filled[name]) : '',
  )
}
