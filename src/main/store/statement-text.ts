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

/** Escapes NUL for texts inside JSON. The store escapes the values of statements itself. */
export const storedText = (text: string): string =>
  text.includes('\0') || text.includes(escape)
    ? text.replace(/[\0\uFDD0]/g, (character) => escaped[character] ?? character)
    : text

/** Reverses `storedText`. */
export const originalText = (text: string): string =>
  text.includes(escape) ? text.replace(/\uFDD0([01])/g, (_, code) => (code === '0' ? '\0' : escape)) : text

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
