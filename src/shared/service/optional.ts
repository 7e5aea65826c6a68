import { z } from 'zod'

/** A field that may be missing. A value of another type than documented is as unknown, and costs nothing but itself. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().catch(undefined).optional()

/** Text, number or truth value that may be missing. */
export const OptionalText = optional(z.string())
export const OptionalNumber = optional(z.number())
export const OptionalFlag = optional(z.boolean())

/** A record with its id in place of a name that is not reported: an id is enough for a row and its actions. */
export const withName = <One extends { readonly id: string; readonly name?: string | null | undefined }>(
  one: One,
): One & { name: string } => {
  const { name } = one
  return typeof name === 'string' ? { ...one, name } : { ...one, name: one.id }
}
