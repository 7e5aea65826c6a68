import { z } from 'zod'

/** A field that may be missing. A value of another type counts as missing. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().catch(undefined).optional()

export const OptionalText = optional(z.string())
export const OptionalNumber = optional(z.number())
export const OptionalFlag = optional(z.boolean())

/** Fills in a missing name with the id, which is enough for a row and its actions. */
export const withName = <Item extends { readonly id: string; readonly name?: string | null | undefined }>(
  item: Item,
): Item & { name: string } => {
  const { name } = item
  return typeof name === 'string' ? { ...item, name } : { ...item, name: item.id }
}
