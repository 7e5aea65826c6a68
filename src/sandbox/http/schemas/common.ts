import { z } from 'zod'

// The schemas of this folder are the contract of the sandbox: they validate requests, type responses and generate the
// OpenAPI document. `id` names a schema in components.schemas.

export const exampleId = '64f0c2a91b7d3e5f8a6b4c2d'
export const exampleTime = 1_768_046_400

export const Id = z.string().regex(/^[0-9a-f]{24}$/)
export const Timestamp = z.number().int().min(0).meta({ description: 'Unix epoch, seconds' })
export const Count = z.number().int().min(0)

/** Creates a string with documented values. They are not validated, since the control API can set others. */
export const oneOf = (...values: readonly string[]) => z.string().meta({ enum: values })

/** Documented form of a name; valid with and without the `u` flag. */
const namePattern =
  '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$'

/** Creates a text without control characters and unpaired surrogates, which are unsafe to display. `maximum`: characters. */
export const nameOf = (maximum?: number) =>
  (maximum === undefined ? z.string() : z.string().max(maximum))
    .min(1)
    .refine(
      (text) => !/[\p{Cc}\p{Cs}]/u.test(text),
      'must not contain control characters or unpaired surrogates',
    )
    .meta({ pattern: namePattern, description: 'without control characters and unpaired surrogates' })
