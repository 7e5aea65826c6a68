import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { isRecord } from '../core/is-record'

/** Part of a section that its schema does not accept. `keys` lead to it, or to the list that it is an element of. */
interface UnreadablePart {
  readonly keys: readonly string[]
  readonly isElement: boolean
  readonly value: unknown
}

/** A section without the parts that cannot be read. */
export interface ReadableParts<Value> {
  readonly value: Value
  /** Paths of the parts that cannot be read. */
  readonly unreadable: readonly string[]
  /** Returns what goes on disk: a value with those parts as they were, except where the value was changed since. */
  withUnreadable(value: unknown): unknown
}

/** Parts that are left out of one section at most: a damaged one ends the search. */
const maxParts = 1_000

type Keys = readonly string[]

const valueAt = (value: unknown, keys: Keys): unknown =>
  keys.reduce<unknown>((one, key) => (isRecord(one) && Object.hasOwn(one, key) ? one[key] : undefined), value)

/** A copy of `value` with another value at `keys`; undefined removes it. Creates the records on the way. */
function withValueAt(value: unknown, keys: Keys, next: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return next
  const record = isRecord(value) ? value : {}
  const inner = withValueAt(Object.hasOwn(record, key) ? record[key] : undefined, rest, next)
  if (inner !== undefined) return { ...record, [key]: inner }
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

interface Place {
  readonly keys: Keys
  /** Index of the element, if the place is in a list. */
  readonly index: number | null
}

/** The smallest part of `value` that contains the place of an issue: a field, or a whole element of the outermost list. */
function placeOf(value: unknown, path: readonly PropertyKey[]): Place {
  const keys: string[] = []
  let inner = value
  for (const step of path) {
    if (Array.isArray(inner)) return { keys, index: Number(step) }
    const key = String(step)
    // The part lacks a field that it must have.
    if (!isRecord(inner) || !Object.hasOwn(inner, key)) break
    inner = inner[key]
    keys.push(key)
  }
  return { keys, index: null }
}

const startsWith = (keys: Keys, prefix: Keys): boolean => prefix.every((key, at) => keys[at] === key)

const sameId = (one: unknown, other: unknown): boolean =>
  isRecord(one) && isRecord(other) && typeof one.id === 'string' && one.id === other.id

/**
 * Reads the parts of a section that the schema accepts: an unreadable field or list element costs itself alone.
 * Undefined if the section as a whole cannot be read. Pure.
 */
export function readableParts<Schema extends z.ZodType>(
  schema: Schema,
  original: unknown,
): ReadableParts<z.infer<Schema>> | undefined {
  let rest = original
  let parts: readonly UnreadablePart[] = []
  let found = schema.safeParse(rest)
  for (let count = 0; !found.success && count < maxParts; count += 1) {
    const { keys, index } = placeOf(rest, found.error.issues[0]?.path ?? [])
    const list = valueAt(rest, keys)
    if (index !== null && Array.isArray(list)) {
      parts = [...parts, { keys, isElement: true, value: list[index] }]
      rest = withValueAt(rest, keys, list.toSpliced(index, 1))
    } else if (keys.length > 0) {
      const inside = parts.filter((part) => !startsWith(part.keys, keys))
      parts = [...inside, { keys, isElement: false, value: valueAt(original, keys) }]
      rest = withValueAt(rest, keys, undefined)
    } else return undefined
    found = schema.safeParse(rest)
  }
  if (!found.success) return undefined
  const loaded: unknown = found.data
  const restore = (value: unknown, { keys, isElement, value: part }: UnreadablePart): unknown => {
    const now = valueAt(value, keys)
    if (isElement) {
      const list: readonly unknown[] = Array.isArray(now) ? now : []
      return list.some((one) => sameId(one, part)) ? value : withValueAt(value, keys, [...list, part])
    }
    return isDeepStrictEqual(now, valueAt(loaded, keys)) ? withValueAt(value, keys, part) : value
  }
  return {
    value: found.data,
    unreadable: parts.map(({ keys }) => keys.join('.')),
    withUnreadable: (value) => parts.reduce(restore, value),
  }
}
