import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RefusalReason } from '../api-error'

/** The HTTP status of each refusal; the specification leaves them open (api-spec.md §7). */
export const refusalStatus: Readonly<Record<RefusalReason, ContentfulStatusCode>> = {
  invalid: 400,
  unauthorized: 401,
  unknown: 404,
  'no-such-path': 404,
  method: 405,
  conflict: 409,
  'too-large': 413,
}
