import type { Failure } from '#shared/failure'

/** Whether an HTTP status means that the deployment lacks the endpoint (service-extensions.md). */
export const lacksEndpoint = (status: number): boolean => status === 404 || status === 405 || status === 501

/** Statuses of refusals whose message decides. */
const ambiguousStatuses: readonly number[] = [200, 400]

const notFound =
  /\bnot[ _-]?(found|implemented|supported)\b|\bno such\b|\bdoes(n't| not) exist\b|\bcannot (get|post|delete)\b/i

/**
 * Whether the endpoint may be missing (service-extensions.md). The resource may be missing instead, or a proxy may
 * have answered: the caller finds out. A refusal that names a field does not count.
 */
export const mayLackEndpoint = (failure: Failure): boolean => {
  if (failure.kind === 'unexpected-answer')
    return failure.status !== undefined && lacksEndpoint(failure.status)
  if (failure.kind !== 'refused-by-service' || failure.field !== undefined) return false
  return (
    lacksEndpoint(failure.status) ||
    (ambiguousStatuses.includes(failure.status) && notFound.test(failure.message))
  )
}
