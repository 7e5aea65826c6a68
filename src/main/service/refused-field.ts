import type { Failure } from '#shared/failure'
import { isRecord } from '../core/is-record'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Returns the names of all fields in a body or query; nested ones with and without their path. */
export const fieldNames = (sent: unknown, path = ''): readonly string[] => {
  if (!isRecord(sent)) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    const whole = `${path}${name}`
    return [whole, name, ...fieldNames(value, `${whole}.`)]
  })
}

/** Returns the message of a refusal: data.error_reason.message, else `message`. */
export const refusalMessage = (body: unknown): string | undefined => {
  if (!isRecord(body)) return undefined
  const reason = isRecord(body.data) ? body.data.error_reason : undefined
  return (isRecord(reason) ? text(reason.message) : undefined) ?? text(body.message)
}

/**
 * Returns the field that a refusal is about: `data.field` or `data.error_reason.field`, else the first `sent` name
 * that the message contains as a word (not in a quoted path). Pure.
 */
export const refusedField = (body: unknown, message: string, sent: readonly string[]): string | undefined => {
  const data = isRecord(body) && isRecord(body.data) ? body.data : {}
  const reason = isRecord(data.error_reason) ? data.error_reason : {}
  const namedField = text(data.field) ?? text(reason.field)
  if (namedField !== undefined) return namedField
  const words: readonly string[] =
    message.replace(/(https?:\/)?(?<![\w.])\/\S+/g, ' ').match(/\w+(?:\.\w+)*/g) ?? []
  return words.find((word) => sent.includes(word))
}

/** Whether the service may have refused the filter. A named field must be `filters`. */
export const mayRefuseFilter = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' &&
  [200, 400, 422].includes(failure.status) &&
  (failure.field === undefined || failure.field === 'filters')
