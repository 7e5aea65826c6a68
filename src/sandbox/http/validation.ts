import type { z } from 'zod'
import { ApiError } from '../api-error'

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  )

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

/** Parses `value`. Throws an ApiError with the first invalid field (`ssh_key.public_key`, `filters[0].op`). */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = pathText(issue?.path ?? [])
  const problem = issue === undefined ? 'is malformed' : reason(issue, valueAt(value, issue.path))
  throw field === ''
    ? new ApiError('invalid', `the request body ${problem}`)
    : new ApiError('invalid', `${field} ${problem}`, field)
}

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const measure = (origin: string): string =>
  origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''

function reason(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'is required' : `must be of the type ${issue.expected}`
    case 'too_big':
      return `must be at most ${issue.maximum}${measure(issue.origin)}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${measure(issue.origin)}`
    case 'invalid_value':
      return value === undefined ? 'is required' : `must be one of ${quoted(issue.values)}`
    case 'custom':
      return issue.message
    default:
      return value === undefined ? 'is required' : issue.message
  }
}
