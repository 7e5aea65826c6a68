/** Reason why a request is refused. http/error-response.ts maps each kind to an HTTP status. */
export type ApiErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'payment-required'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'payload-too-large'
  | 'unsupported-encoding'

/** Refusal by the rules of the service. `field`: invalid parameter or body field. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly kind: ApiErrorKind,
    message: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export const invalid = (field: string, reason: string): ApiError =>
  new ApiError('invalid', `${field} ${reason}`, field)
export const notFound = (field: string, resource: string): ApiError =>
  new ApiError('not-found', `${field}: no such ${resource}`, field)
export const conflict = (field: string, reason: string): ApiError =>
  new ApiError('conflict', `${field} ${reason}`, field)
