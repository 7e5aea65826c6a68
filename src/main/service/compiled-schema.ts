import { z } from 'zod'

/** Records that are read before a schema is compiled: that takes as long as they do, and most accounts have fewer. */
const compiledAfter = 1_000

/**
 * The schema for long lists: the same answers and the same complaints, a third of the time once it has read some. What
 * it refuses, the schema itself reads again, and says why.
 */
export function compiledWhenUsed<Output>(schema: z.ZodType<Output>): z.ZodType<Output> {
  let read = 0
  let compiled: z.ZodType<Output> | undefined
  return z.withParser(schema, (record) => {
    read += 1
    if (read <= compiledAfter) return z.INVALID
    compiled ??= z.compile(schema)
    const checked = compiled.safeParse(record)
    return checked.success ? checked.data : z.INVALID
  })
}
