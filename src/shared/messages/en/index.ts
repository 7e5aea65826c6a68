import { first } from './first'
import { later } from './later'

/**
 * Every text for users, in English. One file per area; `{name}` is filled with a value, ` | ` separates plural forms
 * (format.ts).
 */
export const en = { ...first, ...later } as const
