import type { ExtraField } from '#shared/bridge/fleet'

/** Names that mark an undescribed field as a secret: it crosses the bridge only when the person asks for it. */
const secretName = /pass(w|phrase|$)|secret|token|private_?key|credential|api_?key/i

export type Fields = Readonly<Record<string, unknown>>

export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Whether a value holds a secret anywhere inside, judged by its names. */
const holdsSecret = (path: string, value: unknown): boolean =>
  secretName.test(path) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, inner]) => holdsSecret(key, inner)))

/** The fields that are not among the described `names`, with their plain values, by path. */
export const beyond = (
  fields: Fields | null | undefined,
  names: readonly string[],
  prefix = '',
): readonly (readonly [path: string, value: unknown])[] =>
  Object.entries(fields ?? {})
    .filter(([key]) => !names.includes(key))
    .map(([key, value]) => [prefix + key, value] as const)

/** What the window may see of them: nothing that looks like a secret. */
export const shownFields = (fields: Iterable<readonly [path: string, value: unknown]>): ExtraField[] =>
  [...fields].map(([path, value]) => ({ path, value: holdsSecret(path, value) ? null : fieldText(value) }))
