import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, type ApiErrorKind } from '../api-error'

/** HTTP status of each kind of error. The specification leaves them open (api-spec.md §7). */
export const httpStatus: Readonly<Record<ApiErrorKind, ContentfulStatusCode>> = {
  invalid: 400,
  unauthorized: 401,
  'payment-required': 402,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-encoding': 415,
}

/** Creates the envelope of an error; `data.field` names the invalid field. Other errors are logged and answered with 500. */
export function errorResponse(context: Context, error: unknown): Response {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`sandbox: ${message}\n`)
    return context.json({ status: false, message: 'internal error of the sandbox', data: {} }, 500)
  }
  if (error.kind === 'unauthorized') context.header('WWW-Authenticate', 'Bearer')
  const data = error.field === undefined ? {} : { field: error.field }
  return context.json({ status: false, message: error.message, data }, httpStatus[error.kind])
}
