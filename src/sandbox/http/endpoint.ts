import { z } from 'zod'
import type { ApiErrorKind } from '../api-error'
import { parseInput } from './validation'

/** Payload of a successful response, without the envelope (api-spec.md §1). `total`: on paginated lists. */
export interface EndpointResult<Data = unknown> {
  readonly message: string
  readonly data?: Data
  readonly total?: number
}

export interface EndpointRequest<Query, Body> {
  param(name: string): string
  readonly query: Query
  readonly body: Body
}

interface EndpointDescription<Query, Body, Data> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the base URL, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Whether the endpoint is beyond the specification (service-extensions.md). */
  readonly extension?: boolean
  readonly public?: boolean
  /** Whether a GET changes state, so that it must not answer HEAD. */
  readonly unsafe?: boolean
  readonly query: Query
  readonly body: Body
  /** Schema of `data`; `noData` if the response has none. */
  readonly data: Data
  readonly paginated?: boolean
  /** Further errors for the documentation. Errors of path, query and body are derived. */
  readonly errors?: readonly ApiErrorKind[]
}

export interface Endpoint extends EndpointDescription<z.ZodObject, z.ZodType, z.ZodType> {
  /** Validates the request and handles it. Throws ApiError. */
  handle(request: EndpointRequest<unknown, unknown>): EndpointResult | Promise<EndpointResult>
}

export const noQuery = z.object({})
export const noBody = z.undefined()
export const noData = z.undefined()

export const hasContent = (schema: z.ZodType): boolean => !(schema instanceof z.ZodUndefined)

/** Combines a description with its handler. The schemas validate its input and type its result. */
export const endpoint = <Query extends z.ZodObject, Body extends z.ZodType, Data extends z.ZodType>(
  description: EndpointDescription<Query, Body, Data>,
  handler: (
    request: EndpointRequest<z.infer<Query>, z.infer<Body>>,
  ) => EndpointResult<z.input<Data>> | Promise<EndpointResult<z.input<Data>>>,
): Endpoint => ({
  ...description,
  handle: (request) =>
    handler({
      param: (name) => request.param(name),
      query: parseInput(description.query, request.query),
      body: parseInput(description.body, request.body),
    }),
})
