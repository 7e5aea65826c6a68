import type { z } from 'zod'
import type { Failure } from '#shared/failure'
import { Envelope } from '#shared/service/envelope'
import { parseJson } from './parse-json'
import { fieldNames, refusalMessage, refusedField } from './refused-field'

/** What came over the wire, before anything is known about it. */
export interface RawAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  /** Origin of the place that a redirect points at. */
  readonly redirectsTo: string | null
  readonly text: string
}

/**
 * An answer as the service meant it, or why it is none. `status` is the HTTP status in both cases. `page`: what it is
 * where no page of HTML can be meant by the service (login.ts). `pause`: seconds after which it wants to be asked again.
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

/** Characters of a refusal that are searched for the name of a field. */
const longestSearch = 2_000

/** What a value is, without saying what it holds. */
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
 * The answer's first deviation from the specification, as a place, the type that belongs there and the type that
 * came. Never a value: it may be a secret.
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

/** Seconds of the longest pause that a service may ask for: what it wants beyond that is a slip of its clock. */
export const longestPause = 900

/** Each form of an HTTP date begins with a day of the week (RFC 9110 §5.6.7). `Date.parse` finds one in "wait 5" too. */
const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/**
 * Seconds to wait, at most `longestPause`, from a Retry-After header in seconds or as an HTTP date; undefined where it is
 * neither. `now` in epoch seconds.
 */
export const retryAfterSeconds = (header: string | null, now: number): number | undefined => {
  const text = header?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(longestPause, Math.ceil(Number(text)))
  const at = httpDate.test(text) ? Date.parse(text) / 1000 : NaN
  return Number.isNaN(at) ? undefined : Math.min(longestPause, Math.max(0, Math.ceil(at - now)))
}

const describe = (answer: RawAnswer): string => {
  const type = answer.contentType.split(';')[0]?.trim()
  const body = answer.text === '' ? 'nothing' : type === undefined || type === '' ? 'text' : type
  return `HTTP ${String(answer.status)}, ${body}`
}

/** What an answer is that no service of this kind gives. */
const notJson = (answer: RawAnswer): Failure => ({
  kind: 'unexpected-answer',
  expected: 'a JSON answer of the service',
  received: describe(answer),
  status: answer.status,
})

/**
 * Sorts an answer. Refusals are HTTP errors and `status: false` alike (api-spec.md §7, service-extensions.md): 429 is
 * rate-limited, 401 not-signed-in, the others refused-by-service with the service's words verbatim and the field
 * they name among what was `sent`; everything that is not the service's envelope is unexpected-answer. Pure; `now`
 * in epoch seconds.
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
  const field = refusedField(parsed.json, message.slice(0, longestSearch), fieldNames(sent))
  return failed({ kind: 'refused-by-service', message, status, ...(field === undefined ? {} : { field }) })
}
