import { z } from 'zod'
import { type Failure, FailureError } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { schemaMismatch, readAnswer, type ServiceAnswer } from './answer'
import { createPageLimits } from './page-limits'
import { readRecords, type Records } from './read-records'
import { type Transport, send, type HttpRequest, type Method } from './transport'

/** Where requests go and what proves who sends them. */
export interface Authorization {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

/** The account behind a client. */
export interface Authorizer {
  /** What to send now, signing in first where that is needed. Fails with not-signed-in and whatever a sign-in fails with. */
  current(): Promise<Authorization>
  /** The service refused `refused` with 401: what to send instead. Fails with not-signed-in where there is nothing. */
  renewed(refused: Authorization, message: string | undefined): Promise<Authorization>
}

type Query = Readonly<Record<string, string | number | undefined>>

interface ReadOptions {
  readonly query?: Query
  readonly signal?: AbortSignal | undefined
  /** Named where the endpoint is a capability (service-extensions.md): its absence is then not-offered-by-service. */
  readonly capability?: string
}

/**
 * The wire as the resources see it. Every call fails with the kinds of `carry` and with not-signed-in,
 * refused-by-service, rate-limited, unexpected-answer.
 */
export interface ServiceHttp {
  get<Data>(path: string, schema: z.ZodType<Data>, options?: ReadOptions): Promise<Data>
  /** A list that comes whole. */
  list<Item>(path: string, item: z.ZodType<Item>, options?: ReadOptions): Promise<Records<Item>>
  /** A page of a list, with fewer records where the service refuses so many at once. */
  page<Item>(
    path: string,
    page: PageQuery,
    item: z.ZodType<Item>,
    signal?: AbortSignal,
    capability?: string,
  ): Promise<Page<Item>>
  /** Changes something, whatever the method. */
  send<Data>(method: Method, path: string, body: object | undefined, schema: z.ZodType<Data>): Promise<Data>
}

/** The schema of an answer that carries status and message only. */
export const nothing: z.ZodType<void> = z.unknown().transform(() => undefined)

/** What the specification documents as a list and shows as one record: always the list, empty where nothing is reported. */
export const oneOrMany = <Item>(item: z.ZodType<Item>): z.ZodType<readonly Item[]> =>
  z.union([
    z.array(item),
    item.transform((one) => [one]),
    z.null().transform(() => []),
    z.undefined().transform(() => []),
  ])

/** The query parameters of a page (api-spec.md §1): `filters` travels as a JSON string. */
export const pageParameters = ({ limit, offset, sortField, sortOrder, filters }: PageQuery): Query => ({
  limit,
  offset,
  sortField,
  sortOrder,
  filters: filters === undefined || filters.length === 0 ? undefined : JSON.stringify(filters),
})

const secretsOf = ({ headers }: Authorization): readonly string[] =>
  Object.values(headers).map((value) => value.replace(/^Bearer /, ''))

/** A service may quote in its message what it was sent: the credentials are struck out. */
export const withoutSecrets = (failure: Failure, secrets: readonly string[]): Failure =>
  'message' in failure && failure.message !== undefined
    ? {
        ...failure,
        message: secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), failure.message),
      }
    : failure

/** HTTP statuses by which a deployment says that it lacks an endpoint (service-extensions.md). */
export const lacksEndpoint = (status: number): boolean => status === 404 || status === 405 || status === 501

/**
 * Whether a deployment may lack the endpoint that was asked, rather than the thing that a parameter names: as the
 * service's own words only, since whatever stands between may answer 404 too.
 */
export const mayLackEndpoint = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' && failure.field === undefined && lacksEndpoint(failure.status)

/** Sends one request with what `authorization` holds and sorts the answer. Fails with the kinds of `carry`. */
export const ask = async (
  transport: Transport,
  authorization: Authorization,
  exchange: Omit<HttpRequest, 'baseUrl' | 'headers'>,
): Promise<ServiceAnswer> => {
  const raw = await send(transport, { ...exchange, ...authorization })
  const answer = readAnswer(raw, { ...exchange.query, ...exchange.body }, transport.now())
  return answer.ok ? answer : { ...answer, failure: withoutSecrets(answer.failure, secretsOf(authorization)) }
}

/** The data of an answer. Fails with unexpected-answer where it is not what `schema` says. */
export const dataOf = <Data>(data: unknown, schema: z.ZodType<Data>): Data => {
  const checked = schema.safeParse(data)
  if (!checked.success) throw new FailureError(schemaMismatch('data', checked.error, data))
  return checked.data
}

/**
 * The wire of one account. A request that is refused with 401 is repeated once after a renewal: the service refused
 * it before acting. Nothing else is ever repeated.
 */
export const createHttp = (transport: Transport, authorizer: Authorizer): ServiceHttp => {
  const exchange = async (
    request: Omit<HttpRequest, 'baseUrl' | 'headers'>,
    capability?: string,
  ): Promise<{ readonly data: unknown; readonly total: number | undefined }> => {
    const first = await authorizer.current()
    let answer = await ask(transport, first, request)
    if (!answer.ok && answer.failure.kind === 'not-signed-in') {
      answer = await ask(transport, await authorizer.renewed(first, answer.failure.message), request)
    }
    if (answer.ok) return { data: answer.envelope.data, total: answer.envelope.total ?? undefined }
    if (capability !== undefined && mayLackEndpoint(answer.failure)) {
      throw new FailureError({ kind: 'not-offered-by-service', what: capability })
    }
    throw new FailureError(answer.failure)
  }

  const limits = createPageLimits()

  return {
    get: async (path, schema, { query, signal, capability } = {}) => {
      const { data } = await exchange({ method: 'GET', path, query, signal }, capability)
      return dataOf(data, schema)
    },
    list: async (path, item, { query, signal, capability } = {}) => {
      const { data } = await exchange({ method: 'GET', path, query, signal }, capability)
      return readRecords(data, item)
    },
    page: async (path, page, item, signal, capability) => {
      const { data, total } = await limits.ask(path, page.limit, (limit) => {
        const query = pageParameters({ ...page, limit })
        return exchange({ method: 'GET', path, query, signal }, capability)
      })
      return { ...readRecords(data, item), total }
    },
    send: async (method, path, body, schema) => {
      const { data } = await exchange({ method, changes: true, path, body })
      return dataOf(data, schema)
    },
  }
}
