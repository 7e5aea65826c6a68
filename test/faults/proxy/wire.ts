import type { Failure } from '#shared/failure'
import type { ServerResponse } from 'node:http'

/** An answer of the service, before a fault changes it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request on its way through the proxy. */
export interface RecordedRequest {
  readonly method: string
  /** Path after the base path, such as /virtual-machines. */
  readonly path: string
  readonly query: URLSearchParams
  /** Header with the credentials; empty without. */
  readonly credential: string
  /** Number of earlier requests of this cell. */
  readonly count: number
  /** Whether the user or the client has signed in through the proxy since the fault started. */
  readonly signedInAnew: boolean
  readonly response: ServerResponse
  /** A base URL at another host, which must never get a request. */
  readonly elsewhere: string
  /** Passes it to the service. `change`: with another query. */
  pass(change?: (query: URLSearchParams) => void): Promise<Answer>
}

/**
 * The kind of a failure, `whole` or `readable` (the whole answer, or its readable part), and after × the number of
 * requests if it is not one.
 */
export type Outcome = Result | `${Result} ×${number}`
export type Result = Failure['kind'] | 'whole' | 'readable'

/**
 * The first expectation that applies: for the call by its name, for the kind of call, for all. `capability`: an
 * optional operation.
 */
export type Expected = Readonly<Record<string, Outcome>> & { readonly all: Outcome }

export interface Fault {
  /** The event on the wire. */
  readonly what: string
  /** Absent: no request reaches the proxy. */
  readonly act?: (exchange: RecordedRequest) => void | Promise<void>
  /** Destination of the network instead of the proxy. */
  readonly leadsTo?: Place
  /** Seconds and bytes, if the client's usual limits would take too long. */
  readonly timeLimit?: number
  readonly sizeLimit?: number
  readonly expected: Outcome | Expected
}

/** Destinations of connections that never reach the proxy. */
export type Place =
  | 'no-name'
  | 'closed-port'
  | 'resets'
  | 'closes'
  | 'silent'
  | 'self-signed'
  | 'expired'
  | 'other-host'

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const envelopeOf = ({ body }: Answer): Readonly<Record<string, unknown>> => {
  const parsed: unknown = JSON.parse(body)
  return isObject(parsed) ? parsed : {}
}

export const reply = (
  { response }: RecordedRequest,
  status: number,
  body: string | object,
  headers: Readonly<Record<string, string | number>> = {},
): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A fault that answers itself: the service gets no request. */
export const answers =
  (status: number, body: string | object, headers: Readonly<Record<string, string | number>> = {}) =>
  (exchange: RecordedRequest): void =>
    reply(exchange, status, body, headers)

/** A fault that changes the service's answer. */
export const changes =
  (change: (answer: Answer) => string | object) =>
  async (exchange: RecordedRequest): Promise<void> => {
    const answer = await exchange.pass()
    reply(exchange, answer.status, change(answer))
  }

/** A fault that changes the `data` of successful answers. */
export const changesData = (change: (data: unknown) => unknown) =>
  changes((answer) => {
    const envelope = envelopeOf(answer)
    return { ...envelope, data: change(envelope.data) }
  })

/** A fault that changes the records of lists. */
export const changesRecords = (change: (records: readonly unknown[]) => readonly unknown[]) =>
  changesData((data) => (Array.isArray(data) ? change(data) : data))
