import { z } from 'zod'

const Schema = z.record(z.string(), z.json())
const Response = z.object({
  $ref: z.string().optional(),
  content: z.object({ 'application/json': z.object({ schema: Schema }) }).optional(),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), Response) }))),
  components: z.object({
    schemas: z.record(z.string(), z.json()),
    responses: z.record(z.string(), Response),
  }),
})

/** Returns the pattern of a documented path such as "/virtual-machines/{id}". */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Checks answers of the sandbox against its own OpenAPI document. */
export function documentedAnswers(json: unknown) {
  const { paths, components } = Document.parse(json)
  const patterns = Object.entries(paths).map(([path, methods]) => [patternOf(path), methods] as const)
  const validators = new Map<string, z.ZodType>()

  /** Returns the validator of a schema, whose references refer to definitions inside it. */
  function validatorOf(schema: z.infer<typeof Schema>): z.ZodType {
    const text = JSON.stringify({ ...schema, $defs: components.schemas })
    const cached = validators.get(text)
    if (cached) return cached
    const selfContained: unknown = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
    const validator = z.fromJSONSchema(Schema.parse(selfContained))
    validators.set(text, validator)
    return validator
  }

  function responseOf(method: string, path: string, status: number): z.infer<typeof Response> | undefined {
    const methods = patterns.find(([pattern]) => pattern.test(path))?.[1]
    const operation =
      methods?.[method.toLowerCase()] ?? (status === 405 ? Object.values(methods ?? {})[0] : undefined)
    // Undocumented requests get the general error.
    if (!operation) return components.responses.Error
    const response = operation.responses[String(status)]
    return response?.$ref
      ? components.responses[response.$ref.slice('#/components/responses/'.length)]
      : response
  }

  /** Returns how an answer differs from its documentation; undefined if it does not. */
  return (method: string, url: string, status: number, body: unknown): string | undefined => {
    const path = url.replace(/[?#].*$/, '')
    const schema = responseOf(method, path, status)?.content?.['application/json'].schema
    if (!schema) return `${method} ${path}: ${status} is not documented`
    const issue = validatorOf(schema).safeParse(body).error?.issues[0]
    return issue && `${method} ${path} ${status}: ${issue.path.join('.')}: ${issue.message}`
  }
}
