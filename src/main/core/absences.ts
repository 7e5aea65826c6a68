import type { Failure } from '#shared/failure'
import type { Reading } from './read-all-pages'

/**
 * Returns what the failure of a detail means: `absent` in the service's own words, `maybe-absent` if it answered something
 * else than the thing, such as null, `silent` if no look was possible: the network, a refusal to sign in or to answer, a limit
 * of requests, a fault of the service.
 */
export function presenceAfter(failure: Failure): 'absent' | 'maybe-absent' | 'silent' {
  const isGone = (status: number | undefined): boolean => status === 404 || status === 410
  if (failure.kind === 'unexpected-answer') {
    // The service answered, and its data isn't the thing (`schemaMismatch`).
    const isOther = /^data\b/.test(failure.expected)
    return isOther || isGone(failure.status) ? 'maybe-absent' : 'silent'
  }
  if (failure.kind !== 'refused-by-service') return 'silent'
  const { status } = failure
  if (isGone(status)) return 'absent'
  return status === 401 || status === 403 || status === 408 || status >= 500 ? 'silent' : 'maybe-absent'
}

/** Complete lists in a row that something is absent from before it counts as gone. */
const conclusive = 2

/** Lists in a row whose total differs by the same number before that counts as how the service counts. */
const learned = 3

type Listed = Pick<Reading<unknown>, 'complete' | 'unreadable' | 'excess'>

/** Counts, by id, the lists in a row of which something was true. */
function createRuns() {
  const counts = new Map<string, number>()
  return {
    /** Takes in the ids of one more list, if it `counts`. Returns those that so many lists in a row have named. */
    take(ids: readonly string[], doesCount: boolean, enough: number): ReadonlySet<string> {
      for (const id of counts.keys()) if (!ids.includes(id)) counts.delete(id)
      if (doesCount) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
      return new Set(ids.filter((id) => (counts.get(id) ?? 0) >= enough))
    },
  }
}

/** Counts the complete lists in a row that did not name something that is known. */
export function createAbsences() {
  const missed = createRuns()
  const denied = createRuns()
  let excess: number | null = null
  let sameExcess = 0

  /** Whether the total of a list is always wrong by the same number, as the ledger learns it too. */
  function isUsualExcess(now: number | null): boolean {
    sameExcess = now !== null && now === excess ? sameExcess + 1 : 1
    excess = now
    return now !== null && sameExcess >= learned
  }

  return {
    /**
     * Takes in a list: `missing` are the known ids that it does not name. Only a complete one counts, in which every id
     * could be read; a total that is always wrong by the same number is none of its faults. Returns the ids that are
     * gone by the lists alone.
     */
    take(
      missing: readonly string[],
      { complete, unreadable, excess: now = null }: Listed,
    ): ReadonlySet<string> {
      const isWhole = isUsualExcess(now) || complete
      return missed.take(missing, isWhole && unreadable.every(({ id }) => id !== null), conclusive)
    },
    /**
     * Takes in the ids that a list did not name while the service answered 404 for each. Returns those of enough lists
     * in a row that were read to their end, whatever total they reported.
     */
    takeDenied: (ids: readonly string[], { excess: now = null, complete }: Listed): ReadonlySet<string> =>
      denied.take(ids, complete || now !== null, learned),
  }
}
export type Absences = ReturnType<typeof createAbsences>
