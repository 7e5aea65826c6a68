import type { ExtraField } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'

/** Names that mark a field as a secret, whatever its type: it crosses the bridge only when the person asks for it. */
export const secretName =
  /pass(w|phrase|code|$)|secret|token|private_?key|credential|api_?key|(^|[._-])(pw|pwd|pin|otp)$/i

export type Fields = Readonly<Record<string, unknown>>

export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** A date, with or without a time of day, as ISO 8601 writes it. */
const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Whether an undescribed value may be shown: numbers, booleans and times, and what consists of them. Any other
 * text may hold a secret, whatever its name.
 */
const isHarmless = (path: string, value: unknown): boolean => {
  if (secretName.test(path)) return false
  if (typeof value === 'string') return value === '' || isoTime.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isHarmless(key, inner))
}

/** The fields that are not among the described `names`, with their plain values, by path. */
export const undescribedFields = (
  fields: Fields | null | undefined,
  names: readonly string[],
  prefix = '',
): readonly (readonly [path: string, value: unknown])[] =>
  Object.entries(fields ?? {})
    .filter(([key]) => !names.includes(key))
    .map(([key, value]) => [prefix + key, value] as const)

/** What the window may see of them: the others cross the bridge when the person asks to see them. */
export const shownFields = (fields: Iterable<readonly [path: string, value: unknown]>): ExtraField[] =>
  [...fields].map(([path, value]) => ({ path, value: isHarmless(path, value) ? fieldText(value) : null }))

/** The plain text of one field under "More", for the person who asked to see it. Fails with invalid-input (secret). */
export function revealedField(
  fields: Iterable<readonly [path: string, value: unknown]>,
  wanted: string,
): string {
  for (const [path, value] of fields) if (path === wanted) return fieldText(value)
  throw new FailureError({ kind: 'invalid-input', field: 'secret', reason: 'unknown' })
}
