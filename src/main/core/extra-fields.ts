import type { ExtraField } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'

/** Names of fields that may hold a secret, whatever their type. */
export const secretName =
  /pass(w|phrase|code|$)|secret|token|private_?key|credential|api_?key|(^|[._-])(pw|pwd|pin|otp)$/i

export type Fields = Readonly<Record<string, unknown>>

export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Whether an undescribed value may be shown. Text other than a time may hold a secret, whatever its name. */
const isHarmless = (path: string, value: unknown): boolean => {
  if (secretName.test(path)) return false
  if (typeof value === 'string') return value === '' || isoTime.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isHarmless(key, inner))
}

export const undescribedFields = (
  fields: Fields | null | undefined,
  names: readonly string[],
  prefix = '',
): readonly (readonly [path: string, value: unknown])[] =>
  Object.entries(fields ?? {})
    .filter(([key]) => !names.includes(key))
    .map(([key, value]) => [prefix + key, value] as const)

/** Masks the values that may be secret: they cross the bridge only when the user reveals them. */
export const shownFields = (fields: Iterable<readonly [path: string, value: unknown]>): ExtraField[] =>
  [...fields].map(([path, value]) => ({ path, value: isHarmless(path, value) ? fieldText(value) : null }))

/** Returns the text of one field that the user reveals. Fails with invalid-input (secret). */
export function revealedField(
  fields: Iterable<readonly [path: string, value: unknown]>,
  wantedPath: string,
): string {
  for (const [path, value] of fields) if (path === wantedPath) return fieldText(value)
  throw new FailureError({ kind: 'invalid-input', field: 'secret', reason: 'unknown' })
}
