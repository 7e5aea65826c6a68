import { z } from 'zod'

/** Operators that the service's own client sends; the specification shows only `contains`. */
const filterOperators = ['contains', 'eq', 'ne', 'gt', 'lt'] as const

/** One condition of a list's `filters` parameter (api-spec.md §1). All conditions must match. */
export const Filter = z.object({
  key: z.string().min(1),
  op: z.enum(filterOperators),
  val: z.union([z.string(), z.number(), z.boolean()]),
})
export type Filter = z.infer<typeof Filter>

/** Common list query parameters (api-spec.md §1). `filters` is sent as a JSON string. */
export const PageQuery = z.object({
  limit: z.number().int().positive().optional(),
  offset: z.number().int().nonnegative().optional(),
  sortField: z.string().min(1).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  filters: z.array(Filter).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export interface UnreadableRecord {
  readonly index: number
  readonly id: string | null
  /** JSON of the record with possible secrets masked. */
  readonly text: string
}

/** One page of a list. `total` counts the whole list and is absent if not reported; `unreadable` is absent if empty. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number | undefined
  readonly unreadable?: readonly UnreadableRecord[]
}

export const pageLength = ({ items, unreadable = [] }: Page<unknown>): number =>
  items.length + unreadable.length
