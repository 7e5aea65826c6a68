import { z } from 'zod'
import type { ApiErrorKind } from '../api-error'
import { parseInput } from './validation'

/** The payload of a successful response, without the envelope (api-spec.md §1). `total` on paginated lists. */
export interface EndpointResult<Data = unknown> {
  readonly message: string
  readonly data?: Data
  readonly total?: number
}

/** A request that the endpoint's schemas have validated. */
export interface EndpointRequest<Query, Body> {
  /** A path parameter. */
  param(name: string): string
  readonly query: Query
  readonly body: Body
}

interface EndpointDescription<Query, Body, Data> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Beyond the specification (service-extensions.md). */
  readonly extension?: boolean
  /** Needs no credentials. */
  readonly public?: boolean
  /** A GET that changes state, so that HEAD must not be answered by it. */
  readonly unsafe?: boolean
  readonly query: Query
  readonly body: Body
  /** The schema of `data`; `noData` where the response has none. */
  readonly data: Data
  /** The response has `total`. */
  readonly paginated?: boolean
  /** Errors beside those that follow from path, query and body; for the documentation. */
  readonly errors?: readonly ApiErrorKind[]
}

/** One endpoint: its documentation, validation and handler. */
export interface Endpoint extends EndpointDescription<z.ZodObject, z.ZodType, z.ZodType> {
  /** Validates the request and handles it. Throws ApiError. */
  handle(request: EndpointRequest<unknown, unknown>): EndpointResult | Promise<EndpointResult>
}

export const noQuery = z.object({})
export const noBody = z.undefined()
export const noData = z.undefined()

export const hasContent = (schema: z.ZodType): boolean => !(schema instanceof z.ZodUndefined)

/** Combines a description with its handler, whose input is validated and whose result is typed by the schemas. */
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
