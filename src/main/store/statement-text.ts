import { FailureError } from '#shared/failure'
import type { SqlRow, SqlValue } from './sql'

/*
 * libsql 0.5.29 reports none of these: it stores NULL for a missing value, drops a surplus one, runs only the first of
 * two statements, and returns a text up to its first NUL (index.js passes values to sqlite3_bind_* one by one).
 */

/** Tokens of SQL: strings, quoted names, comments, parameters, ends of statements, other characters. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\?(\d*)|;|\S/g

const isComment = (token: string): boolean => token.startsWith('--') || token.startsWith('/*')

const wrong = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: 'store.prepare', reason })

/** Returns the number of values of a statement. Fails with local-fault unless it is exactly one statement. */
export function parameterCount(sql: string): number {
  let [count, ends, isEmpty] = [0, 0, true]
  for (const [token, index] of sql.matchAll(tokens)) {
    if (isComment(token)) continue
    if (token === ';') {
      ends += isEmpty ? 0 : 1
      continue
    }
    if (ends > 0) throw wrong('more than one statement')
    isEmpty = false
    if (index !== undefined) count = index === '' ? count + 1 : Math.max(count, Number(index))
  }
  if (isEmpty) throw wrong('no statement')
  return count
}

/** A noncharacter reserved for internal use. Begins an escape sequence for NUL or for itself. */
const escape = '\uFDD0'
const escaped: Readonly<Record<string, string>> = { '\0': `${escape}0`, [escape]: `${escape}1` }

/** In Unicode mode, a surrogate is a half of a pair without the other half. */
const unstorable = /[\0\uFDD0]|\p{Surrogate}/u

/**
 * Escapes NUL, and halves of surrogate pairs, which have no form in UTF-8, for texts inside JSON. The store escapes the
 * values of statements itself.
 */
export const storedText = (text: string): string =>
  unstorable.test(text)
    ? text.replace(
        new RegExp(unstorable, 'gu'),
        (character) => escaped[character] ?? `${escape}${character.charCodeAt(0).toString(16)}`,
      )
    : text

/** Reverses `storedText`. */
export const originalText = (text: string): string =>
  text.includes(escape)
    ? text.replace(/\uFDD0([01]|d[89a-f][0-9a-f]{2})/g, (_, code: string) =>
        code === '1' ? escape : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

const originalValue = (value: SqlValue): SqlValue => (typeof value === 'string' ? originalText(value) : value)

/** Converts the values of a statement for the library. Fails with local-fault if their number is wrong. */
export function boundValues(values: readonly SqlValue[], count: number): SqlValue[] {
  if (values.length !== count) throw wrong(`${String(values.length)} values for ${String(count)} parameters`)
  return values.map((value) => (typeof value === 'string' ? storedText(value) : value))
}

const isEscaped = (value: SqlValue): boolean => typeof value === 'string' && value.includes(escape)

export const originalRow = (row: SqlRow): SqlRow =>
  Object.values(row).some(isEscaped)
    ? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, originalValue(value)]))
    : row

export const originalValues = (row: readonly SqlValue[]): readonly SqlValue[] =>
  row.some(isEscaped) ? row.map(originalValue) : row
