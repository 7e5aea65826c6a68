import type { Failure } from '#shared/failure'
import type { ServerResponse } from 'node:http'

/** An answer of the service, before a fault does anything to it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request on its way through the proxy. */
export interface RecordedRequest {
  readonly method: string
  /** Follows the base path, such as /virtual-machines. */
  readonly path: string
  readonly query: URLSearchParams
  /** The header that says who asks; empty where there is none. */
  readonly credential: string
  /** How many requests of this cell came before it. */
  readonly count: number
  /** Whether the person or the client has signed in through the proxy since the fault began. */
  readonly signedInAnew: boolean
  readonly response: ServerResponse
  /** A base URL at another host, which must never see anything. */
  readonly elsewhere: string
  /** Lets it through to the service. `change`: with another query. */
  pass(change?: (query: URLSearchParams) => void): Promise<Answer>
}

/**
 * The kind of a failure, `whole` or `readable` (the whole answer; what of it can be read), and behind × the requests that
 * the client sends, where it is not one.
 */
export type Outcome = Result | `${Result} ×${number}`
export type Result = Failure['kind'] | 'whole' | 'readable'

/**
 * What is expected, the first that applies: for the call by its name, for the kind of call, for all. `capability`:
 * what a deployment may lack.
 */
export type Expected = Readonly<Record<string, Outcome>> & { readonly all: Outcome }

export interface Fault {
  /** What happens on the wire. */
  readonly what: string
  /** Absent: nothing gets as far as the proxy. */
  readonly act?: (exchange: RecordedRequest) => void | Promise<void>
  /** The place that the network leads to in place of the proxy. */
  readonly leadsTo?: Place
  /** Seconds and bytes, where the client's usual limits would take too long. */
  readonly timeLimit?: number
  readonly sizeLimit?: number
  readonly expected: Outcome | Expected
}

/** Where connections end that never reach the proxy. */
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

/** A fault that answers by itself: the service sees nothing. */
export const answers =
  (status: number, body: string | object, headers: Readonly<Record<string, string | number>> = {}) =>
  (exchange: RecordedRequest): void =>
    reply(exchange, status, body, headers)

/** A fault that changes what the service answered. */
export const changes =
  (change: (answer: Answer) => string | object) =>
  async (exchange: RecordedRequest): Promise<void> => {
    const answer = await exchange.pass()
    reply(exchange, answer.status, change(answer))
  }

/** A fault that changes the `data` of answers that succeeded. */
export const changesData = (change: (data: unknown) => unknown) =>
  changes((answer) => {
    const envelope = envelopeOf(answer)
    return { ...envelope, data: change(envelope.data) }
  })

/** A fault that changes the records of lists. */
export const changesRecords = (change: (records: readonly unknown[]) => readonly unknown[]) =>
  changesData((data) => (Array.isArray(data) ? change(data) : data))
