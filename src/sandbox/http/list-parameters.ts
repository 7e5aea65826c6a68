import { z } from 'zod'
import { Filter } from '#shared/service/page'

/** Default and maximum of `limit`, which the specification leaves open (api-spec.md §8). */
export const listLimits = { default: 20, maximum: 1_000 } as const

/** Creates the schema of an integer in the query string; `meta` documents it as an integer. */
const wholeNumber = (minimum: number, maximum: number): z.ZodType<number, string> => {
  const isInRange = (text: string): boolean =>
    /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return z
    .string()
    .refine(isInRange, `must be an integer from ${minimum} to ${maximum}`)
    .transform(Number)
    .meta({ type: 'integer', minimum, maximum })
}

const filterForm = 'must be a JSON array of {key, op, val}, with op one of contains, eq, ne, gt, lt'

const Filters = z.string().transform((text, context): Filter[] => {
  const refuse = (path: PropertyKey[]): never => {
    context.addIssue({ code: 'custom', message: filterForm, path })
    return z.NEVER
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refuse([])
  }
  const filters = z.array(Filter).safeParse(parsed)
  return filters.success ? filters.data : refuse(filters.error.issues[0]?.path ?? [])
})

const parameters = {
  limit: wholeNumber(1, listLimits.maximum)
    .meta({ description: `${listLimits.default} when absent` })
    .optional(),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .meta({ description: 'how many to skip; 0 when absent' })
    .optional(),
  sortField: z.string().min(1).meta({ description: 'dotted where nested, such as flavor.gpu' }).optional(),
  sortOrder: z.enum(['asc', 'desc']).meta({ description: 'asc when absent' }).optional(),
}

/** Common query parameters of lists (api-spec.md §1). */
export const PageParameters = z.object(parameters)
export const FilteredPageParameters = z.object({
  ...parameters,
  filters: Filters.meta({
    description: 'JSON array of {key, op, val}, all required; op is contains, eq, ne, gt or lt',
  }).optional(),
})
export type ListQuery = z.infer<typeof FilteredPageParameters>

export const RegionParameters = z.object({ region_id: z.string().min(1).optional() })
