import type { Failure } from '#shared/failure'
import { isRecord } from '../core/is-record'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** The names of everything that a body or a query says: inner ones by themselves and with their path. */
export const fieldNames = (sent: unknown, path = ''): readonly string[] => {
  if (!isRecord(sent)) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    const whole = `${path}${name}`
    return [whole, name, ...fieldNames(value, `${whole}.`)]
  })
}

/** The useful words of a refusal: nested at data.error_reason.message where they are, else `message`. */
export const refusalMessage = (body: unknown): string | undefined => {
  if (!isRecord(body)) return undefined
  const reason = isRecord(body.data) ? body.data.error_reason : undefined
  return (isRecord(reason) ? text(reason.message) : undefined) ?? text(body.message)
}

/**
 * The field that a refusal is about: as the answer names it (`data.field`, `data.error_reason.field`), else the first
 * name among those sent that stands in the message as a word of its own (not in a path that it quotes). Pure.
 */
export const refusedField = (body: unknown, message: string, sent: readonly string[]): string | undefined => {
  const data = isRecord(body) && isRecord(body.data) ? body.data : {}
  const reason = isRecord(data.error_reason) ? data.error_reason : {}
  const named = text(data.field) ?? text(reason.field)
  if (named !== undefined) return named
  const words: readonly string[] =
    message.replace(/(https?:\/)?(?<![\w.])\/\S+/g, ' ').match(/\w+(?:\.\w+)*/g) ?? []
  return words.find((word) => sent.includes(word))
}

/** Whether it may be the filter that was refused: where the service says what it refuses, it says so. */
export const mayRefuseFilter = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' &&
  [200, 400, 422].includes(failure.status) &&
  (failure.field === undefined || failure.field === 'filters')
