import { z } from 'zod'
import type { ApiErrorKind } from '../api-error'
import { hasContent, type Endpoint } from './endpoint'
import { httpStatus } from './error-response'

type Json = Readonly<Record<string, unknown>>

const asObject = (value: unknown): Json => z.record(z.string(), z.unknown()).parse(value)

const errorDescriptions: Readonly<Record<ApiErrorKind, readonly [name: string, description: string]>> = {
  invalid: ['BadRequest', 'A parameter or body field is malformed or against a rule; data.field names it.'],
  unauthorized: ['Unauthorized', 'The credentials are missing, wrong, expired or revoked.'],
  'payment-required': ['PaymentRequired', 'The balance is negative: nothing can be created.'],
  'not-found': ['NotFound', 'The path, or an identifier in it, in the query or in the body, is unknown.'],
  'method-not-allowed': ['MethodNotAllowed', 'The path does not have this method; Allow lists those it has.'],
  conflict: ['Conflict', 'The request does not fit the current state, such as a volume in use.'],
  'payload-too-large': ['PayloadTooLarge', 'The body is larger than 1,000,000 bytes.'],
  'unsupported-encoding': ['UnsupportedMediaType', 'The Content-Encoding is not supported.'],
}
const errorKinds: readonly ApiErrorKind[] = [
  'invalid',
  'unauthorized',
  'payment-required',
  'not-found',
  'method-not-allowed',
  'conflict',
  'payload-too-large',
  'unsupported-encoding',
]

export const pathParameters = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '')

/** Returns the kinds of error of an endpoint in the order of their status. */
function errorsOf(endpoint: Endpoint): ApiErrorKind[] {
  const hasBody = hasContent(endpoint.body)
  const hasInput = hasBody || Object.keys(endpoint.query.shape).length > 0
  const possible = new Set<ApiErrorKind>([
    'unauthorized',
    'method-not-allowed',
    ...(hasInput ? (['invalid'] as const) : []),
    ...(pathParameters(endpoint.path).length > 0 ? (['not-found'] as const) : []),
    ...(hasBody ? (['payload-too-large', 'unsupported-encoding'] as const) : []),
    ...(endpoint.errors ?? []),
  ])
  return errorKinds.filter((kind) => possible.has(kind))
}

const ErrorEnvelope = z
  .strictObject({
    status: z.literal(false),
    message: z.string(),
    data: z.strictObject({
      field: z.string().optional().meta({ description: 'the parameter or body field at fault' }),
    }),
  })
  .meta({
    id: 'Error',
    examples: [{ status: false, message: 'name is required', data: { field: 'name' } }],
  })

/** Redirects references from the definitions of one schema to the components of the document. */
const relocated = (schema: unknown): Json =>
  asObject(JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"#/$defs/', '"#/components/schemas/')))

const operationId = ({ method, path }: Endpoint): string =>
  method.toLowerCase() +
  path.replace(/[{}]/g, '').replace(/[/_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())

const envelopeOf = (endpoint: Endpoint): z.ZodType =>
  z.strictObject({
    status: z.literal(true),
    message: z.string(),
    ...(hasContent(endpoint.data) ? { data: endpoint.data } : {}),
    ...(endpoint.paginated === true
      ? { total: z.number().int().min(0).meta({ description: 'entries that match, on all pages' }) }
      : {}),
  })

export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): Json {
  const schemas: Record<string, unknown> = {}

  /** Converts a schema to JSON Schema for OpenAPI 3.1, and collects named schemas in components.schemas. */
  const jsonSchema = (schema: z.ZodType): unknown => {
    const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema: json }) => {
        if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
        if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
        delete json.id
      },
    })
    Object.assign(schemas, relocated($defs))
    return relocated(properties?.schema)
  }
  const content = (schema: z.ZodType): Json => ({ 'application/json': { schema: jsonSchema(schema) } })
  const errorResponses = (kinds: readonly ApiErrorKind[]): Json =>
    Object.fromEntries(
      kinds.map((kind) => [
        httpStatus[kind],
        { $ref: `#/components/responses/${errorDescriptions[kind][0]}` },
      ]),
    )

  const operation = (endpoint: Endpoint): Json => ({
    operationId: operationId(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    security: endpoint.public === true ? [] : [{ bearer: [], refreshToken: [] }, { bearer: [] }],
    parameters: [
      ...pathParameters(endpoint.path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(endpoint.query.shape).map(([name, schema]) => ({
        name,
        in: 'query',
        required: false,
        schema: schema instanceof z.ZodType ? jsonSchema(schema) : {},
      })),
    ],
    ...(hasContent(endpoint.body)
      ? { requestBody: { required: true, content: content(endpoint.body) } }
      : {}),
    responses: {
      200: { description: 'Success', content: content(envelopeOf(endpoint)) },
      ...errorResponses(errorsOf(endpoint)),
      default: { $ref: '#/components/responses/Error' },
    },
  })

  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wheelhouse sandbox',
      version: '1',
      description:
        'A simulated GPU cloud on loopback, without costs. Every response is an envelope. Requests that are not valid HTTP, such as headers over the limit, are answered with the Error envelope too (400, 408, 431).',
    },
    servers: [{ url: baseUrl }],
    tags: Array.from(new Set(endpoints.map((endpoint) => endpoint.tag)), (name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API token.' },
        refreshToken: {
          type: 'apiKey',
          in: 'header',
          name: 'refresh-token',
          description: 'Together with an access token; not with an API token.',
        },
      },
      responses: {
        ...Object.fromEntries(
          errorKinds.map((kind) => {
            const [name, description] = errorDescriptions[kind]
            return [name, { description, content: content(ErrorEnvelope) }]
          }),
        ),
        Error: { description: 'Any other error.', content: content(ErrorEnvelope) },
      },
      schemas,
    },
  }
}
