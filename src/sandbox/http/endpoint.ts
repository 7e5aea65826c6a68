import { z } from 'zod'
import { parseInput } from './validation'

/** What an endpoint answers: the envelope of api-spec.md §1 is made from it. `total` on paginated lists. */
export interface EndpointAnswer {
  readonly message: string
  readonly data?: unknown
  readonly total?: number
}

/** A request whose parts have been checked by the endpoint's schemas. */
export interface EndpointRequest<Query, Body> {
  /** A path parameter; the router has matched it. */
  param(name: string): string
  readonly query: Query
  readonly body: Body
}

interface EndpointDescription<Query, Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Beyond the specification: what service-extensions.md tells. */
  readonly extension?: boolean
  /** Needs no credentials. */
  readonly open?: boolean
  readonly query: Query
  readonly body: Body
  /** What `data` holds; `noData` where the answer has none. */
  readonly data: z.ZodType
  /** The answer has `total`. */
  readonly paginated?: boolean
}

/** One endpoint of the service: how it is documented, checked and answered. */
export interface Endpoint extends EndpointDescription<z.ZodObject, z.ZodType> {
  /** Checks what came in and answers it. Throws Refusal. */
  answer(request: EndpointRequest<unknown, unknown>): EndpointAnswer | Promise<EndpointAnswer>
}

export const noQuery = z.object({})
export const noBody = z.undefined()
export const noData = z.undefined()

/** Joins a description with the function that answers; the schemas check, and then type, what the function gets. */
export const endpoint = <Query extends z.ZodObject, Body extends z.ZodType>(
  description: EndpointDescription<Query, Body>,
  answer: (
    request: EndpointRequest<z.infer<Query>, z.infer<Body>>,
  ) => EndpointAnswer | Promise<EndpointAnswer>,
): Endpoint => ({
  ...description,
  answer: (request) =>
    answer({
      param: (name) => request.param(name),
      query: parseInput(description.query, request.query),
      body: parseInput(description.body, request.body),
    }),
})
