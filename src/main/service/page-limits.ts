import { type Failure, failureOf } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import { lacksEndpoint } from './lacks-endpoint'

/** What is tried below a limit that was refused. The specification names no maximum (api-spec.md §8). */
const smallerLimits = [500, 200, 100, 50, 20, 10, 5, 1]

/** A request that is malformed, too large or not valid. */
const refusedInputs = new Set([200, 400, 413, 416, 422])

/** Whether it may be the limit that was refused: where the service says what it refuses, it says so. */
const mayRefuseLimit = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' &&
  refusedInputs.has(failure.status) &&
  (failure.field === undefined || failure.field === 'limit')

/** Whether so many records at once may have been too much for the service, or for a gateway before it. */
const mayBeTooMuch = (failure: Failure): boolean => {
  if (failure.kind === 'timed-out') return true
  if (failure.kind !== 'refused-by-service' && failure.kind !== 'unexpected-answer') return false
  const { status = 0 } = failure
  return status >= 500 && !lacksEndpoint(status)
}

/** The lists of one account: those whose ids are in the path share what they accept. */
const listOf = (path: string): string => path.replace(/\/[^/]+(?=\/[^/]+$)/, '/{id}')

/**
 * What each list of an account accepts as its limit, as far as it was found out. One that is refused gets a smaller
 * next try, one beyond the usual that fails gets the usual, and what was accepted is remembered.
 */
export function createPageLimits() {
  const accepted = new Map<string, number>()
  /** The largest limit with which each list has answered. */
  const answered = new Map<string, number>()

  const after = (limit: number, failure: Failure, isRead: boolean): number | undefined => {
    if (limit > pageSizes.resources && mayBeTooMuch(failure)) return pageSizes.resources
    // Not the limit that it was read with before, but a place past its end, or what is asked for besides.
    if (isRead || !mayRefuseLimit(failure)) return undefined
    return smallerLimits.find((one) => one < limit)
  }

  return {
    /** Asks with `limit`, or with less where the list refuses that. Fails as `ask` did first where it refuses all. */
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
          const next = after(current, failure, current === first && first <= (answered.get(list) ?? 0))
          if (next === undefined) throw mayRefuseLimit(failure) ? refusals[0] : error
          current = next
        }
      }
    },
  }
}
