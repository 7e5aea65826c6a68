import { type Failure, failureOf } from '#shared/failure'

/** What is tried below a limit that was refused. The specification names no maximum (api-spec.md §8). */
const smallerLimits = [500, 200, 100, 50, 20, 10, 5, 1]

/** A request that is malformed, too large or not valid. */
const refusedInputs = new Set([200, 400, 413, 416, 422])

/** Whether it may be the limit that was refused: where the service says what it refuses, it says so. */
const mayRefuseLimit = (failure: Failure): boolean =>
  failure.kind === 'refused-by-service' &&
  refusedInputs.has(failure.status) &&
  (failure.field === undefined || failure.field === 'limit')

/** The lists of one account: those whose ids are in the path share what they accept. */
const listOf = (path: string): string => path.replace(/\/[^/]+(?=\/[^/]+$)/, '/{id}')

/**
 * What each list of an account accepts as its limit, as far as it was found out. One that is refused gets a smaller
 * next try, and what was accepted is remembered.
 */
export function createPageLimits() {
  const accepted = new Map<string, number>()
  /** The largest limit with which each list has answered. */
  const answered = new Map<string, number>()
  return {
    /** Asks with `limit`, or with less where the list refuses that. Fails as `ask` did first. */
    async ask<Answer>(
      path: string,
      limit: number | undefined,
      ask: (limit: number | undefined) => Promise<Answer>,
    ): Promise<Answer> {
      const list = listOf(path)
      const first = limit === undefined ? undefined : Math.min(limit, accepted.get(list) ?? limit)
      try {
        const answer = await ask(first)
        if (first !== undefined) answered.set(list, Math.max(first, answered.get(list) ?? 0))
        return answer
      } catch (error) {
        if (first === undefined || !mayRefuseLimit(failureOf(error, 'service.page'))) throw error
        // Not the limit that it was read with before, but a place past its end, or what is asked for besides.
        if (first <= (answered.get(list) ?? 0)) throw error
        for (const smaller of smallerLimits.filter((one) => one < first)) {
          try {
            const answer = await ask(smaller)
            accepted.set(list, smaller)
            answered.set(list, smaller)
            return answer
          } catch (again) {
            if (!mayRefuseLimit(failureOf(again, 'service.page'))) throw again
          }
        }
        throw error
      }
    },
  }
}
