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

/** "/virtual-machines/{id}" as what its paths look like. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Checks answers of the sandbox against its own OpenAPI document. */
export function documentedAnswers(json: unknown) {
  const { paths, components } = Document.parse(json)
  const patterns = Object.entries(paths).map(([path, methods]) => [patternOf(path), methods] as const)
  const validators = new Map<string, z.ZodType>()

  /** The validator of an embedded schema: its references lead to definitions in itself. */
  function validatorOf(schema: z.infer<typeof Schema>): z.ZodType {
    const text = JSON.stringify({ ...schema, $defs: components.schemas })
    const known = validators.get(text)
    if (known) return known
    const own: unknown = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
    const made = z.fromJSONSchema(Schema.parse(own))
    validators.set(text, made)
    return made
  }

  function responseOf(method: string, path: string, status: number): z.infer<typeof Response> | undefined {
    const methods = patterns.find(([pattern]) => pattern.test(path))?.[1]
    const operation =
      methods?.[method.toLowerCase()] ?? (status === 405 ? Object.values(methods ?? {})[0] : undefined)
    // What no page describes is refused as everything is.
    if (!operation) return components.responses.Error
    const found = operation.responses[String(status)]
    return found?.$ref ? components.responses[found.$ref.slice('#/components/responses/'.length)] : found
  }

  /** Why an answer is not as documented; undefined where it is. */
  return (method: string, url: string, status: number, body: unknown): string | undefined => {
    const path = url.replace(/[?#].*$/, '')
    const schema = responseOf(method, path, status)?.content?.['application/json'].schema
    if (!schema) return `${method} ${path}: ${status} is not documented`
    const issue = validatorOf(schema).safeParse(body).error?.issues[0]
    return issue && `${method} ${path} ${status}: ${issue.path.join('.')}: ${issue.message}`
  }
}
