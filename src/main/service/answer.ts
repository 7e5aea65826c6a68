import type { z } from 'zod'
import type { Failure } from '#shared/failure'
import { Envelope } from '#shared/service/envelope'
import { parseJson } from './parse-json'
import { fieldNames, refusalMessage, refusedField } from './refused-field'

export interface RawAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly redirectsTo: string | null
  readonly text: string
}

/**
 * An answer of the service, or the failure that it means. `status`: the HTTP status. `page`: the failure if HTML
 * cannot come from the service (login.ts). `pause`: seconds to wait before the next request.
 */
export type ServiceAnswer =
  | { readonly ok: true; readonly status: number; readonly envelope: Envelope }
  | {
      readonly ok: false
      readonly status: number
      readonly failure: Failure
      readonly page?: Failure
      readonly pause?: number
    }

/** Characters of a refusal that are searched for a field name. */
const maxSearchedLength = 2_000

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'undefined' ? 'nothing' : typeof value
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

const place = (path: readonly PropertyKey[]): string =>
  path.map((key) => (typeof key === 'number' ? `[${String(key)}]` : `.${String(key)}`)).join('')

const wanted = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return issue.expected
  if (issue.code === 'invalid_union') return 'one of the documented shapes'
  return 'a documented value'
}

/**
 * Describes the answer's first deviation from the specification: its place, expected type and actual type. Never
 * includes a value, which may be a secret.
 */
export const schemaMismatch = (root: string, error: z.ZodError, value: unknown): Failure => {
  const issue = error.issues[0]
  const path = issue?.path ?? []
  const where = `${root}${place(path)}`
  return {
    kind: 'unexpected-answer',
    expected: issue === undefined ? where : `${where}: ${wanted(issue)}`,
    received: `${where}: ${kindOf(at(value, path))}`,
  }
}

/** Upper bound on a requested pause in seconds; a longer one is an error of the service's clock. */
export const maxPauseSeconds = 900

/** Every HTTP date begins with a weekday (RFC 9110 §5.6.7). `Date.parse` also accepts "wait 5". */
const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/** Parses a Retry-After header (seconds or HTTP date) to at most `maxPauseSeconds`. `now` in epoch seconds. */
export const retryAfterSeconds = (header: string | null, now: number): number | undefined => {
  const text = header?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(maxPauseSeconds, Math.ceil(Number(text)))
  const at = httpDate.test(text) ? Date.parse(text) / 1000 : NaN
  return Number.isNaN(at) ? undefined : Math.min(maxPauseSeconds, Math.max(0, Math.ceil(at - now)))
}

const describe = (answer: RawAnswer): string => {
  const type = answer.contentType.split(';')[0]?.trim()
  const body = answer.text === '' ? 'nothing' : type === undefined || type === '' ? 'text' : type
  return `HTTP ${String(answer.status)}, ${body}`
}

const notJson = (answer: RawAnswer): Failure => ({
  kind: 'unexpected-answer',
  expected: 'a JSON answer of the service',
  received: describe(answer),
  status: answer.status,
})

/**
 * Classifies an answer. Refusals come as HTTP errors or as `status: false` (api-spec.md §7, service-extensions.md).
 * 429 is rate-limited, 401 is not-signed-in, others are refused-by-service with the verbatim message and the `sent`
 * field that it names. Anything but the service's envelope is unexpected-answer. Pure; `now` in epoch seconds.
 */
export const readAnswer = (raw: RawAnswer, sent: unknown, now: number): ServiceAnswer => {
  const { status } = raw
  const pause = status === 429 || status === 503 ? retryAfterSeconds(raw.retryAfter, now) : undefined
  const failed = (failure: Failure): ServiceAnswer => ({
    ok: false,
    status,
    failure,
    ...(pause !== undefined && { pause }),
  })
  if (status === 429)
    return failed({ kind: 'rate-limited', ...(pause !== undefined && { retryAfter: pause }) })
  if (status >= 300 && status < 400) {
    const received = raw.redirectsTo === null ? 'a redirect' : `a redirect to ${raw.redirectsTo}`
    return failed({ kind: 'unexpected-answer', expected: 'an answer of the service', received })
  }
  const parsed = parseJson(raw.text)
  const message = refusalMessage(parsed?.json)
  if (status === 401) {
    return {
      ...failed({ kind: 'not-signed-in', reason: 'refused', ...(message === undefined ? {} : { message }) }),
      ...(/\bhtml\b/i.test(raw.contentType) && { page: notJson(raw) }),
    }
  }
  if (parsed === null) return failed(notJson(raw))
  const envelope = Envelope.safeParse(parsed.json)
  const success = status >= 200 && status < 300
  if (success && !envelope.success) return failed(schemaMismatch('answer', envelope.error, parsed.json))
  if (success && envelope.success && envelope.data.status) {
    return { ok: true, status, envelope: envelope.data }
  }
  if (message === undefined) {
    return failed({
      kind: 'unexpected-answer',
      expected: 'a message that says why',
      received: `${describe(raw)}, without a message`,
      status,
    })
  }
  const field = refusedField(parsed.json, message.slice(0, maxSearchedLength), fieldNames(sent))
  return failed({ kind: 'refused-by-service', message, status, ...(field === undefined ? {} : { field }) })
}
