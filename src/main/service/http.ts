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

export interface Authorization {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

export type RateLimited = Extract<Failure, { kind: 'rate-limited' }>

export interface Authorizer {
  /**
   * Returns the current credentials, after a short requested pause and a sign-in if needed. Fails with not-signed-in,
   * rate-limited and the failures of a sign-in.
   */
  current(signal?: AbortSignal): Promise<Authorization>
  /** Returns new credentials after a 401 for `refused`. Fails with not-signed-in if there are none. */
  renewed(refused: Authorization, message: string | undefined): Promise<Authorization>
  /** The service requested a pause, during which nothing may be sent. */
  limited(failure: RateLimited): void
}

type Query = Readonly<Record<string, string | number | undefined>>

interface ReadOptions {
  readonly query?: Query
  readonly signal?: AbortSignal | undefined
  /** Name of the capability (service-extensions.md); its absence fails with not-offered-by-service. */
  readonly capability?: string
}

/** Fails with the kinds of `send`, not-signed-in, refused-by-service, rate-limited and unexpected-answer. */
export interface ServiceHttp {
  get<Data>(path: string, schema: z.ZodType<Data>, options?: ReadOptions): Promise<Data>
  list<Item>(path: string, item: z.ZodType<Item>, options?: ReadOptions): Promise<Records<Item>>
  /** Reads one page, a smaller one if the service rejects the limit. Unchanged pages come from `last`. */
  page<Item>(
    path: string,
    page: PageQuery,
    item: z.ZodType<Item>,
    signal?: AbortSignal,
    capability?: string,
    last?: LastPages<Item>,
  ): Promise<Page<Item>>
  /** Sends a request that changes something, whatever its method. After `signal`, its outcome is unknown. */
  send<Data>(
    method: Method,
    path: string,
    body: object | undefined,
    schema: z.ZodType<Data>,
    signal?: AbortSignal,
  ): Promise<Data>
}

export const nothing: z.ZodType<void> = z.unknown().transform(() => undefined)

/** Schema of data that the specification documents as a list and shows as one record. Missing data is an empty list. */
export const oneOrMany = <Item>(item: z.ZodType<Item>): z.ZodType<readonly Item[]> =>
  z.union([
    z.array(item),
    item.transform((record) => [record]),
    z.null().transform(() => []),
    z.undefined().transform(() => []),
  ])

/** Query parameters of a page (api-spec.md §1). `filters` is sent as a JSON string. */
export const pageParameters = ({ limit, offset, sortField, sortOrder, filters }: PageQuery): Query => ({
  limit,
  offset,
  sortField,
  sortOrder,
  filters: filters === undefined || filters.length === 0 ? undefined : JSON.stringify(filters),
})

const secretsOf = ({ headers }: Authorization): readonly string[] =>
  Object.values(headers).map((value) => value.replace(/^Bearer /, ''))

/** Upper bounds on the length of the service's texts in failures, in characters. */
const maxLength = { message: 2_000, field: 200 } as const

/** Masks credentials that the service quotes, before texts are truncated. */
const withoutSecrets = (failure: Failure, secrets: readonly string[]): Failure => {
  const masked = (text: string, length: number = maxLength.message): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text).slice(0, length)
  switch (failure.kind) {
    case 'refused-by-service': {
      const { message, field } = failure
      return {
        ...failure,
        message: masked(message),
        ...(field !== undefined && { field: masked(field, maxLength.field) }),
      }
    }
    case 'not-signed-in':
    case 'forbidden':
      return { ...failure, ...(failure.message !== undefined && { message: masked(failure.message) }) }
    case 'unexpected-answer':
      return { ...failure, expected: masked(failure.expected), received: masked(failure.received) }
    default:
      return failure
  }
}

interface SentRequest extends Omit<HttpRequest, 'baseUrl' | 'headers'> {
  /** Whether the answer equals the last one; its text is then not parsed. */
  readonly isKnown?: ((answer: RawAnswer) => boolean) | undefined
}

/** Sends one request and classifies the answer. `secrets` are masked in failures. Fails as `send` does. */
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

/** Validates the data of an answer. Fails with unexpected-answer. */
export const dataOf = <Data>(data: unknown, schema: z.ZodType<Data>): Data => {
  const checked = schema.safeParse(data)
  if (!checked.success) throw new FailureError(schemaMismatch('data', checked.error, data))
  return checked.data
}

/** Marks failures of `step` as without effect: it runs before the request is sent, or after the service refused it. */
const beforeSending = async <Result>(step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step()
  } catch (error) {
    throw error instanceof FailureError ? new FailureError(error.failure, true) : error
  }
}

const refusedSignIn = (answer: ServiceAnswer): { readonly message?: string | undefined } | undefined =>
  !answer.ok && answer.failure.kind === 'not-signed-in' ? answer.failure : undefined

const forbidden = (message: string | undefined): FailureError =>
  new FailureError({ kind: 'forbidden', ...(message === undefined ? {} : { message }) })

/**
 * Creates the HTTP client of one account. A request refused with 401 is repeated once after a renewal, as the service
 * did nothing. A reading refused for a short pause is repeated after it. Nothing else is repeated. An endpoint that
 * refuses credentials accepted elsewhere is forbidden and no longer causes renewals.
 */
export const createHttp = (transport: Transport, authorizer: Authorizer): ServiceHttp => {
  const endpoints = createRefusedEndpoints()
  const askOnce = async (authorization: Authorization, request: SentRequest): Promise<ServiceAnswer> => {
    const answer = await ask(transport, authorization, request)
    if (answer.ok) return answer
    const { failure, pause: retryAfter } = answer
    if (retryAfter !== undefined) authorizer.limited({ kind: 'rate-limited', retryAfter })
    // A change may have been made despite a 503.
    const isRefused = failure.kind === 'rate-limited' || !(request.changes ?? request.method !== 'GET')
    if (retryAfter === undefined || !isRefused) return answer
    return {
      ...answer,
      failure: { kind: 'rate-limited', retryAfter, until: transport.now() + retryAfter },
    }
  }

  /** The list that answered last, as some accounts may not read every list. */
  let readable: string | undefined

  /**
   * Reads other lists to find out whether an answer concerns only the endpoint at `path`. Returns the first success,
   * else the last refusal. Fails with rate-limited, which proves nothing, and the kinds of `send`.
   */
  const askElsewhere = async (authorization: Authorization, path: string): Promise<ServiceAnswer> => {
    const read = async (other: string): Promise<ServiceAnswer> => {
      const query = pageParameters({ limit: 1 })
      const answer = await askOnce(authorization, { method: 'GET', path: other, query })
      if (!answer.ok && answer.failure.kind === 'rate-limited') throw new FailureError(answer.failure)
      return answer
    }
    const commonList = path === '/virtual-machines' ? '/flavors' : '/virtual-machines'
    const answer = await read(commonList)
    return answer.ok || readable === undefined || [path, commonList].includes(readable)
      ? answer
      : read(readable)
  }

  const credentialOf = ({ headers }: Authorization): string => headers.authorization ?? ''

  /** Fails with forbidden if the service accepts the same credential elsewhere. */
  const failIfForbidden = async (
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
    // The endpoint refused another credential before this sign-in.
    if (endpoints.wasRefused(request, credential))
      await beforeSending(() => failIfForbidden(request, first, message))
    endpoints.refuses(request, credential)
    const renewed = await beforeSending(() => authorizer.renewed(first, message))
    const second = await askOnce(renewed, request)
    const again = refusedSignIn(second)
    if (again !== undefined) await beforeSending(() => failIfForbidden(request, renewed, again.message))
    return second
  }

  /** Whether the service itself answered, rather than something like a network's sign-in page. */
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
        // Only the first page can prove that the endpoint is missing.
        return read({ path, query, signal, isKnown }, offset ? undefined : capability)
      }
      const { data, total } = await limits.ask(path, page.limit, readPage)
      readable = path
      const readPageOf = () => ({ ...readRecords(data, item), total })
      return expected ? expected.page(readPageOf) : readPageOf()
    },
    send: async (method, path, body, schema, signal) => {
      const { data } = await sendAuthorized({ method, changes: true, path, body, signal })
      return dataOf(data, schema)
    },
  }
}
