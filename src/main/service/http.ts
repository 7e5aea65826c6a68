import { z } from 'zod'
import { type Failure, FailureError } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { type RawAnswer, schemaMismatch, readAnswer, type ServiceAnswer } from './answer'
import { mayLackEndpoint } from './lacks-endpoint'
import type { LastPages } from './last-pages'
import { createPageLimits } from './page-limits'
import { readRecords, type Records } from './read-records'
import { createRefusedEndpoints } from './refused-endpoints'
import { throughShortPauses } from './retry-after'
import { type Transport, send, type HttpRequest, type Method } from './transport'

/** Where requests go and what proves who sends them. */
export interface Authorization {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

export type RateLimited = Extract<Failure, { kind: 'rate-limited' }>

/** The account behind a client. */
export interface Authorizer {
  /**
   * What to send now, after the end of a short pause and signing in first where that is needed. Fails with
   * not-signed-in, rate-limited and whatever a sign-in fails with.
   */
  current(signal?: AbortSignal): Promise<Authorization>
  /** The service refused `refused` with 401: what to send instead. Fails with not-signed-in where there is nothing. */
  renewed(refused: Authorization, message: string | undefined): Promise<Authorization>
  /** The service asked for a pause: nothing is sent for as long as it said, where it said so. */
  limited(failure: RateLimited): void
}

type Query = Readonly<Record<string, string | number | undefined>>

interface ReadOptions {
  readonly query?: Query
  readonly signal?: AbortSignal | undefined
  /** Named where the endpoint is a capability (service-extensions.md): its absence is then not-offered-by-service. */
  readonly capability?: string
}

/**
 * The wire as the resources see it. Every call fails with the kinds of `send` and with not-signed-in,
 * refused-by-service, rate-limited, unexpected-answer.
 */
export interface ServiceHttp {
  get<Data>(path: string, schema: z.ZodType<Data>, options?: ReadOptions): Promise<Data>
  /** A list that comes whole. */
  list<Item>(path: string, item: z.ZodType<Item>, options?: ReadOptions): Promise<Records<Item>>
  /** A page of a list, with fewer records where the service refuses so many at once; of `last` where it is the same. */
  page<Item>(
    path: string,
    page: PageQuery,
    item: z.ZodType<Item>,
    signal?: AbortSignal,
    capability?: string,
    last?: LastPages<Item>,
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

/** Characters that are repeated of what a service says; a longer text is no message, and a longer name no field. */
const longest = { message: 2_000, field: 200 } as const

/** A service may quote what it was sent: the credentials are struck out, before the text is cut. */
const withoutSecrets = (failure: Failure, secrets: readonly string[]): Failure => {
  const shown = (text: string, length: number = longest.message): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text).slice(0, length)
  switch (failure.kind) {
    case 'refused-by-service': {
      const { message, field } = failure
      return {
        ...failure,
        message: shown(message),
        ...(field !== undefined && { field: shown(field, longest.field) }),
      }
    }
    case 'not-signed-in':
    case 'forbidden':
      return { ...failure, ...(failure.message !== undefined && { message: shown(failure.message) }) }
    case 'unexpected-answer':
      return { ...failure, expected: shown(failure.expected), received: shown(failure.received) }
    default:
      return failure
  }
}

interface SentRequest extends Omit<HttpRequest, 'baseUrl' | 'headers'> {
  /** Whether what came is known already: it is then not read. */
  readonly isKnown?: ((answer: RawAnswer) => boolean) | undefined
}

/**
 * Sends one request with what `authorization` holds and sorts the answer. `secrets`: what of it no failure may repeat.
 * Fails with the kinds of `send`.
 */
export const ask = async (
  transport: Transport,
  authorization: Authorization,
  request: SentRequest,
  secrets: readonly string[] = secretsOf(authorization),
): Promise<ServiceAnswer> => {
  const raw = await send(transport, { ...request, ...authorization })
  if (request.isKnown?.(raw)) return { ok: true, status: raw.status, envelope: { status: true } }
  const answer = readAnswer(raw, { ...request.query, ...request.body }, transport.now())
  if (answer.ok) return answer
  const { failure, page } = answer
  return {
    ...answer,
    failure: withoutSecrets(failure, secrets),
    ...(page && { page: withoutSecrets(page, secrets) }),
  }
}

/** The data of an answer. Fails with unexpected-answer where it is not what `schema` says. */
export const dataOf = <Data>(data: unknown, schema: z.ZodType<Data>): Data => {
  const checked = schema.safeParse(data)
  if (!checked.success) throw new FailureError(schemaMismatch('data', checked.error, data))
  return checked.data
}

/** What fails in here fails before the request is sent, or after the service refused it without acting. */
const beforeSending = async <Result>(step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step()
  } catch (error) {
    throw error instanceof FailureError ? new FailureError(error.failure, true) : error
  }
}

/** The service's words on a 401; undefined for every other answer. */
const refusedSignIn = (answer: ServiceAnswer): { readonly message?: string | undefined } | undefined =>
  !answer.ok && answer.failure.kind === 'not-signed-in' ? answer.failure : undefined

const forbidden = (message: string | undefined): FailureError =>
  new FailureError({ kind: 'forbidden', ...(message === undefined ? {} : { message }) })

/**
 * The wire of one account. A request that is refused with 401 is repeated once after a renewal: the service refused
 * it before acting. A reading that is refused for a short pause is repeated after its end. Nothing else is ever
 * repeated. An endpoint that refuses what the service accepts elsewhere is
 * forbidden: no renewal is tried for it any more.
 */
export const createHttp = (transport: Transport, authorizer: Authorizer): ServiceHttp => {
  const endpoints = createRefusedEndpoints()
  const askOnce = async (authorization: Authorization, request: SentRequest): Promise<ServiceAnswer> => {
    const answer = await ask(transport, authorization, request)
    if (answer.ok) return answer
    const { failure, pause: retryAfter } = answer
    if (retryAfter !== undefined) authorizer.limited({ kind: 'rate-limited', retryAfter })
    // With 503 a change may have been made all the same.
    const isRefused = failure.kind === 'rate-limited' || !(request.changes ?? request.method !== 'GET')
    if (retryAfter === undefined || !isRefused) return answer
    return {
      ...answer,
      failure: { kind: 'rate-limited', retryAfter, until: transport.now() + retryAfter },
    }
  }

  /** The list that answered last: an account may have to do without those that most have. */
  let readable: string | undefined

  /**
   * Other harmless reads, to find out whether an answer was about the endpoint at `path` alone: the first that the
   * service answers, else the last. Fails with rate-limited, which says nothing of the endpoint, and the kinds of `send`.
   */
  const askElsewhere = async (authorization: Authorization, path: string): Promise<ServiceAnswer> => {
    const read = async (other: string): Promise<ServiceAnswer> => {
      const query = pageParameters({ limit: 1 })
      const answer = await askOnce(authorization, { method: 'GET', path: other, query })
      if (!answer.ok && answer.failure.kind === 'rate-limited') throw new FailureError(answer.failure)
      return answer
    }
    const usual = path === '/virtual-machines' ? '/flavors' : '/virtual-machines'
    const answer = await read(usual)
    return answer.ok || readable === undefined || [path, usual].includes(readable) ? answer : read(readable)
  }

  const credentialOf = ({ headers }: Authorization): string => headers.authorization ?? ''

  /** Fails with forbidden where the service accepts the same credential elsewhere. */
  const failWhereForbidden = async (
    request: SentRequest,
    authorization: Authorization,
    message: string | undefined,
  ): Promise<void> => {
    const elsewhere = await askElsewhere(authorization, request.path)
    if (!elsewhere.ok) return
    endpoints.forbids(request, credentialOf(authorization))
    throw forbidden(message)
  }

  const answerTo = async (request: SentRequest): Promise<ServiceAnswer> => {
    const first = await beforeSending(() => authorizer.current(request.signal))
    const answer = await askOnce(first, request)
    const refusal = refusedSignIn(answer)
    if (refusal === undefined) return answer
    const { message } = refusal
    const credential = credentialOf(first)
    if (endpoints.isForbidden(request, credential)) throw forbidden(message)
    // Where only the person can sign in again, they have done so since it was refused the last time.
    if (endpoints.wasRefused(request, credential))
      await beforeSending(() => failWhereForbidden(request, first, message))
    endpoints.refuses(request, credential)
    const renewed = await beforeSending(() => authorizer.renewed(first, message))
    const second = await askOnce(renewed, request)
    const again = refusedSignIn(second)
    if (again !== undefined) await beforeSending(() => failWhereForbidden(request, renewed, again.message))
    return second
  }

  /** Something between, such as the sign-in page of a network, takes no capability away. */
  const isOfService = async (failure: Failure, path: string): Promise<boolean> => {
    if (failure.kind !== 'unexpected-answer') return true
    const elsewhere = await askElsewhere(await authorizer.current(), path)
    return elsewhere.ok || elsewhere.failure.kind === 'refused-by-service'
  }

  const sendAuthorized = async (
    request: SentRequest,
    capability?: string,
  ): Promise<{ readonly data: unknown; readonly total: number | undefined }> => {
    const answer = await answerTo(request)
    if (answer.ok) {
      endpoints.answers(request)
      return { data: answer.envelope.data, total: answer.envelope.total ?? undefined }
    }
    const { failure } = answer
    if (capability !== undefined && mayLackEndpoint(failure) && (await isOfService(failure, request.path))) {
      throw new FailureError({ kind: 'not-offered-by-service', what: capability })
    }
    throw new FailureError(failure)
  }

  /** As sendAuthorized, for what changes nothing. */
  const read = (
    request: Omit<SentRequest, 'method'>,
    capability?: string,
  ): ReturnType<typeof sendAuthorized> =>
    throughShortPauses(() => sendAuthorized({ method: 'GET', ...request }, capability), transport.now)

  const limits = createPageLimits()

  return {
    get: async (path, schema, { query, signal, capability } = {}) => {
      const { data } = await read({ path, query, signal }, capability)
      return dataOf(data, schema)
    },
    list: async (path, item, { query, signal, capability } = {}) => {
      const { data } = await read({ path, query, signal }, capability)
      readable = path
      return readRecords(data, item)
    },
    page: async (path, page, item, signal, capability, last) => {
      const { offset } = page
      let expected: ReturnType<NonNullable<typeof last>['expect']> | undefined
      const readPage = (limit: number | undefined) => {
        const query = pageParameters({ ...page, limit })
        expected = last?.expect(JSON.stringify(query))
        const isKnown = expected?.isKnown
        // What has answered its beginning is there: further on, it is the place that is not.
        return read({ path, query, signal, isKnown }, offset ? undefined : capability)
      }
      const { data, total } = await limits.ask(path, page.limit, readPage)
      readable = path
      const readPageOf = () => ({ ...readRecords(data, item), total })
      return expected ? expected.page(readPageOf) : readPageOf()
    },
    send: async (method, path, body, schema) => {
      const { data } = await sendAuthorized({ method, changes: true, path, body })
      return dataOf(data, schema)
    },
  }
}
