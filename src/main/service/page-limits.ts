import { type Failure, failureOf } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import { lacksEndpoint } from './lacks-endpoint'

/** Limits to try after a refusal. The specification names no maximum (api-spec.md §8). */
const smallerLimits = [500, 200, 100, 50, 20, 10, 5, 1]

const inputRefusals = new Set([200, 400, 413, 416, 422])

/** Whether the service may have refused the limit. A named field must be `limit`. */
const mayRefuseLimit = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' &&
  inputRefusals.has(failure.status) &&
  (failure.field === undefined || failure.field === 'limit')

/** Whether the page may have been too large for the service or its gateway. */
const mayBeTooMuch = (failure: Failure): boolean => {
  if (failure.kind === 'timed-out') return true
  if (failure.kind !== 'refused-by-service' && failure.kind !== 'unexpected-answer') return false
  const { status = 0 } = failure
  return status >= 500 && !lacksEndpoint(status)
}

/** Groups the lists of an account that differ only in the id of their path. */
const listOf = (path: string): string => path.replace(/\/[^/]+(?=\/[^/]+$)/, '/{id}')

/**
 * Learns which limit each list accepts. A refused limit is followed by a smaller one; a failing limit above the usual
 * is followed by the usual. Accepted limits are remembered.
 */
export function createPageLimits() {
  const accepted = new Map<string, number>()
  const answered = new Map<string, number>()

  const nextLimit = (limit: number, failure: Failure, isRead: boolean): number | undefined => {
    if (limit > pageSizes.resources && mayBeTooMuch(failure)) return pageSizes.resources
    // This limit worked before, so the refusal has another cause, such as an offset past the end.
    if (isRead || !mayRefuseLimit(failure)) return undefined
    return smallerLimits.find((smaller) => smaller < limit)
  }

  return {
    /** Requests with `limit`, or a smaller one if the list refuses it. Fails as the first request did. */
    async ask<Answer>(
      path: string,
      limit: number | undefined,
      ask: (limit: number | undefined) => Promise<Answer>,
    ): Promise<Answer> {
      const list = listOf(path)
      if (limit === undefined) return ask(undefined)
      const first = Math.min(limit, accepted.get(list) ?? limit)
      const refusals: unknown[] = []
      for (let current = first; ;) {
        try {
          const answer = await ask(current)
          if (current < first) accepted.set(list, current)
          answered.set(list, current < first ? current : Math.max(first, answered.get(list) ?? 0))
          return answer
        } catch (error) {
          const failure = failureOf(error, 'service.page')
          refusals.push(error)
          const next = nextLimit(current, failure, current === first && first <= (answered.get(list) ?? 0))
          if (next === undefined) throw mayRefuseLimit(failure) ? refusals[0] : error
          current = next
        }
      }
    },
  }
}
