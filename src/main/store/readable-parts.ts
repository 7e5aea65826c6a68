import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { isRecord } from '../core/is-record'

/** Part of a section that its schema rejects. `keys`: path to it, or to the list that contains it. */
interface UnreadablePart {
  readonly keys: readonly string[]
  readonly isElement: boolean
  readonly value: unknown
}

export interface ReadableParts<Value> {
  readonly value: Value
  readonly unreadable: readonly string[]
  /** Puts the unreadable parts back into a value for the disk, unless their place was changed. */
  withUnreadable(value: unknown): unknown
}

/** Upper bound on the unreadable parts of a section; a damaged section ends the search. */
const maxParts = 1_000

type Keys = readonly string[]

const valueAt = (value: unknown, keys: Keys): unknown =>
  keys.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )

/** Copies `value` with another value at `keys`; undefined removes it. Creates missing records on the path. */
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
  readonly index: number | null
}

/** Returns the smallest part of `value` that contains an issue: a field, or a whole element of the outermost list. */
function placeOf(value: unknown, path: readonly PropertyKey[]): Place {
  const keys: string[] = []
  let inner = value
  for (const step of path) {
    if (Array.isArray(inner)) return { keys, index: Number(step) }
    const key = String(step)
    // A required field is missing.
    if (!isRecord(inner) || !Object.hasOwn(inner, key)) break
    inner = inner[key]
    keys.push(key)
  }
  return { keys, index: null }
}

const startsWith = (keys: Keys, prefix: Keys): boolean => prefix.every((key, at) => keys[at] === key)

const sameId = (a: unknown, b: unknown): boolean =>
  isRecord(a) && isRecord(b) && typeof a.id === 'string' && a.id === b.id

/**
 * Reads the parts of a section that the schema accepts. Only the unreadable fields and list elements are left out.
 * Returns undefined if nothing can be read. Pure.
 */
export function readableParts<Schema extends z.ZodType>(
  schema: Schema,
  original: unknown,
): ReadableParts<z.infer<Schema>> | undefined {
  let rest = original
  let parts: readonly UnreadablePart[] = []
  let parsed = schema.safeParse(rest)
  for (let count = 0; !parsed.success && count < maxParts; count += 1) {
    const { keys, index } = placeOf(rest, parsed.error.issues[0]?.path ?? [])
    const list = valueAt(rest, keys)
    if (index !== null && Array.isArray(list)) {
      parts = [...parts, { keys, isElement: true, value: list[index] }]
      rest = withValueAt(rest, keys, list.toSpliced(index, 1))
    } else if (keys.length > 0) {
      const inside = parts.filter((part) => !startsWith(part.keys, keys))
      parts = [...inside, { keys, isElement: false, value: valueAt(original, keys) }]
      rest = withValueAt(rest, keys, undefined)
    } else return undefined
    parsed = schema.safeParse(rest)
  }
  if (!parsed.success) return undefined
  const loaded: unknown = parsed.data
  const restore = (value: unknown, { keys, isElement, value: part }: UnreadablePart): unknown => {
    const now = valueAt(value, keys)
    if (isElement) {
      const list: readonly unknown[] = Array.isArray(now) ? now : []
      return list.some((element) => sameId(element, part)) ? value : withValueAt(value, keys, [...list, part])
    }
    return isDeepStrictEqual(now, valueAt(loaded, keys)) ? withValueAt(value, keys, part) : value
  }
  return {
    value: parsed.data,
    unreadable: parts.map(({ keys }) => keys.join('.')),
    withUnreadable: (value) => parts.reduce(restore, value),
  }
}
