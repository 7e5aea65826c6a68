import { z } from 'zod'
import type { Endpoint } from './endpoint'

type Json = Readonly<Record<string, unknown>>

/** A schema as OpenAPI 3.1 takes it: plain JSON Schema. What goes in is described as it is sent. */
const jsonSchema = (schema: z.ZodType): Json => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return described
}

export const pathParameters = (path: string): string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '')

/** The OpenAPI 3.1 document of the service at `baseUrl`. */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): Json {
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
        'A whole GPU cloud on loopback, for people without an account and for tests. Nothing in it costs anything.',
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
          description: 'Beside an access token; not beside an API token.',
        },
      },
      responses: {
        Refused: {
          description: 'Refused; data.field names the field at fault.',
          content: { 'application/json': { schema: refusedEnvelope } },
        },
      },
    },
  }
}

const refusedEnvelope: Json = {
  type: 'object',
  required: ['status', 'message', 'data'],
  properties: {
    status: { const: false },
    message: { type: 'string' },
    data: { type: 'object', properties: { field: { type: 'string' } } },
  },
}

function operation(endpoint: Endpoint): Json {
  return {
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
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(endpoint.body) } },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: envelopeSchema(endpoint) } },
      },
      default: { $ref: '#/components/responses/Refused' },
    },
  }
}

export const hasContent = (schema: z.ZodType): boolean => !(schema instanceof z.ZodUndefined)

const operationId = ({ method, path }: Endpoint): string =>
  method.toLowerCase() +
  path.replace(/[{}]/g, '').replace(/[/_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())

const envelopeSchema = (endpoint: Endpoint): Json => ({
  type: 'object',
  required: [
    'status',
    'message',
    ...(hasContent(endpoint.data) ? ['data'] : []),
    ...(endpoint.paginated === true ? ['total'] : []),
  ],
  properties: {
    status: { const: true },
    message: { type: 'string' },
    ...(hasContent(endpoint.data) ? { data: jsonSchema(endpoint.data) } : {}),
    ...(endpoint.paginated === true ? { total: { type: 'integer', minimum: 0 } } : {}),
  },
})
