import type { Failure } from '#shared/failure'

/** HTTP statuses by which a deployment says that it lacks an endpoint (service-extensions.md). */
export const lacksEndpoint = (status: number): boolean => status === 404 || status === 405 || status === 501

/** Statuses of a refusal that are ambiguous on their own. */
const saysInWords: readonly number[] = [200, 400]

/** What a refusal says where it is the endpoint that is not there, or the thing that was asked for. */
const notFound =
  /\bnot[ _-]?(found|implemented|supported)\b|\bno such\b|\bdoes(n't| not) exist\b|\bcannot (get|post|delete)\b/i

/**
 * Whether a deployment may lack the endpoint that was asked (service-extensions.md), or the thing that the path names,
 * or, where the answer is no envelope, whatever stands between answered: the caller finds out which. A parameter that
 * is refused by name is none of these.
 */
export const mayLackEndpoint = (failure: Failure): boolean => {
  if (failure.kind === 'unexpected-answer')
    return failure.status !== undefined && lacksEndpoint(failure.status)
  if (failure.kind !== 'refused-by-service' || failure.field !== undefined) return false
  return (
    lacksEndpoint(failure.status) || (saysInWords.includes(failure.status) && notFound.test(failure.message))
  )
}
