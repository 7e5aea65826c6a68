import type { Filter } from '#shared/service/page'
import { ApiError } from '../api-error'
import { listLimits, type ListQuery } from './list-parameters'

/** Fields for sorting and filtering a list, dotted if nested, with their types. */
export type ListFields = Readonly<Record<string, 'string' | 'number' | 'boolean'>>

type Scalar = string | number | boolean

/** Description of a list. `fields`: fields of `view`. */
export interface List<Item, View> {
  readonly items: readonly Item[]
  view(item: Item): View
  readonly fields: ListFields
}

/** Returns one page of a list and the number of entries that match the filters. Throws ApiError for an unknown field. */
export function selectPage<Item, View>(
  { items, view, fields }: List<Item, View>,
  query: ListQuery,
): { readonly data: View[]; readonly total: number } {
  const conditions = (query.filters ?? []).map((filter, index) =>
    conditionOf(filter, fields, `filters[${index}]`),
  )
  const matching =
    conditions.length === 0
      ? items
      : items.filter((item) => {
          const entry = view(item)
          return conditions.every((holds) => holds(entry))
        })
  const order = query.sortField === undefined ? undefined : orderOf(query.sortField, fields)
  const sorted =
    order === undefined ? matching : sort(matching, (item) => order(view(item)), query.sortOrder ?? 'asc')
  const offset = query.offset ?? 0
  const page = sorted.slice(offset, offset + (query.limit ?? listLimits.default))
  return { data: page.map(view), total: matching.length }
}

function requireField(name: string, fields: ListFields, parameter: string): ListFields[string] {
  const type = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (type !== undefined) return type
  const known = Object.keys(fields).join(', ')
  throw new ApiError(
    'invalid',
    `${parameter}: there is no field ${JSON.stringify(name)}; the list has ${known}`,
    parameter,
  )
}

const valueAt = (item: unknown, path: readonly string[]): Scalar | undefined => {
  let value = item
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}

/** Compares values. Missing values come first; text is ordered by code unit, whatever the locale. */
const compare = (left: Scalar | undefined, right: Scalar | undefined): number => {
  if (left === right) return 0
  if (left === undefined) return -1
  if (right === undefined) return 1
  return left < right ? -1 : 1
}

function orderOf(field: string, fields: ListFields): (entry: unknown) => Scalar | undefined {
  requireField(field, fields, 'sortField')
  const path = field.split('.')
  return (entry) => valueAt(entry, path)
}

function sort<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => Scalar | undefined,
  order: 'asc' | 'desc',
): readonly Item[] {
  const sign = order === 'asc' ? 1 : -1
  return items
    .map((item) => ({ item, value: valueOf(item) }))
    .sort((left, right) => sign * compare(left.value, right.value))
    .map(({ item }) => item)
}

const ordered = (value: Scalar | undefined, holds: (value: Scalar) => boolean): boolean =>
  value !== undefined && holds(value)

function conditionOf(filter: Filter, fields: ListFields, parameter: string): (item: unknown) => boolean {
  const type = requireField(filter.key, fields, `${parameter}.key`)
  const path = filter.key.split('.')
  if (filter.op === 'contains') {
    const text = String(filter.val).toLowerCase()
    return (item) =>
      String(valueAt(item, path) ?? '')
        .toLowerCase()
        .includes(text)
  }
  const wanted = coerce(filter.val, type, `${parameter}.val`)
  switch (filter.op) {
    case 'eq':
      return (item) => valueAt(item, path) === wanted
    case 'ne':
      return (item) => valueAt(item, path) !== wanted
    case 'gt':
      return (item) => ordered(valueAt(item, path), (value) => compare(value, wanted) > 0)
    case 'lt':
      return (item) => ordered(valueAt(item, path), (value) => compare(value, wanted) < 0)
  }
}

function coerce(value: Scalar, type: ListFields[string], parameter: string): Scalar {
  if (type === 'string') return String(value)
  if (type === 'number') {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
    if (typeof value !== 'boolean' && Number.isFinite(number)) return number
    throw new ApiError('invalid', `${parameter} must be a number, as the field is`, parameter)
  }
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new ApiError('invalid', `${parameter} must be true or false, as the field is`, parameter)
}
