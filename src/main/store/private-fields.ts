import { isRecord } from '../core/is-record'

type Fields = readonly string[]

/** Private fields of each record of a document, by the path of ids and keys to the record. */
export type Details = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const isKnown = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const keyOf = (element: unknown, index: number): string =>
  isRecord(element) && typeof element.id === 'string' ? element.id : String(index)

type Visit = (record: Readonly<Record<string, unknown>>, path: string) => Readonly<Record<string, unknown>>

/** Replaces each record of a JSON value, outer records first. */
function replaceRecords(value: unknown, visit: Visit, path = ''): unknown {
  if (Array.isArray(value))
    return value.map((element, index) => replaceRecords(element, visit, `${path}/${keyOf(element, index)}`))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(visit(value, path)).map(([key, inner]) => [
      key,
      replaceRecords(inner, visit, `${path}/${key}`),
    ]),
  )
}

const only = (record: Readonly<Record<string, unknown>>, test: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => test(key)))

export const withoutFields = (value: unknown, fields: Fields): unknown =>
  replaceRecords(value, (record) => only(record, (key) => !fields.includes(key)))

/** Collects the known private fields. Records keep their fields of `before`. Pure. */
export function detailsOf(value: unknown, fields: Fields, before: Details = {}): Details {
  const details: Record<string, Readonly<Record<string, unknown>>> = {}
  replaceRecords(value, (record, path) => {
    const known = only(record, (key) => fields.includes(key) && isKnown(record[key]))
    const all = { ...(Object.hasOwn(before, path) ? before[path] : {}), ...known }
    if (Object.keys(all).length > 0) details[path] = all
    return only(record, (key) => !fields.includes(key))
  })
  return details
}

/** Fills in unknown private fields from `details`. Pure. */
export const withDetails = (value: unknown, details: Details): unknown =>
  replaceRecords(value, (record, path) => {
    const known = Object.hasOwn(details, path) ? details[path] : undefined
    return known ? { ...record, ...only(known, (key) => !isKnown(record[key])) } : record
  })
