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

/** One page of a list: `total` counts the whole list and is absent where the service does not say. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number | undefined
}
