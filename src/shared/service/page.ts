import { z } from 'zod'

/** The operators that the service's own client sends; the specification shows only `contains`. */
const filterOperators = ['contains', 'eq', 'ne', 'gt', 'lt'] as const

/** One condition of a list's `filters` parameter (api-spec.md §1). Several are all required. */
export const Filter = z.object({
  key: z.string().min(1),
  op: z.enum(filterOperators),
  val: z.union([z.string(), z.number(), z.boolean()]),
})
export type Filter = z.infer<typeof Filter>

/** The common list query parameters (api-spec.md §1). `filters` travels as a JSON string. */
export const PageQuery = z.object({
  limit: z.number().int().positive().optional(),
  offset: z.number().int().nonnegative().optional(),
  sortField: z.string().min(1).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
  filters: z.array(Filter).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** A record of a list that is not as documented. */
export interface UnreadableRecord {
  /** Where it stands on its page, from 0. */
  readonly index: number
  /** Null where not even its id can be read. */
  readonly id: string | null
  /** JSON of what came, all that may be secret masked. */
  readonly text: string
}

/**
 * One page of a list: `total` counts the whole list and is absent where the service does not say. What cannot be read
 * is beside the items; absent where all can.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number | undefined
  readonly unreadable?: readonly UnreadableRecord[]
}

/** Records on a page, readable or not. */
export const pageLength = ({ items, unreadable = [] }: Page<unknown>): number =>
  items.length + unreadable.length
