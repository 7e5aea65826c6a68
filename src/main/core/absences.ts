import type { Failure } from '#shared/failure'
import type { Reading } from './read-all-pages'

/**
 * Returns what a failed detail request means. `absent`: the resource is gone by the service's answer.
 * `maybe-absent`: the answer was not the resource, such as null. `silent`: nothing was learnt (network, sign-in, rate
 * limit, fault of the service).
 */
export function presenceAfter(failure: Failure): 'absent' | 'maybe-absent' | 'silent' {
  const isGone = (status: number | undefined): boolean => status === 404 || status === 410
  if (failure.kind === 'unexpected-answer') {
    // The service answered with `data` of another shape (`schemaMismatch`).
    const isOtherShape = /^data\b/.test(failure.expected)
    return isOtherShape || isGone(failure.status) ? 'maybe-absent' : 'silent'
  }
  if (failure.kind !== 'refused-by-service') return 'silent'
  const { status } = failure
  if (isGone(status)) return 'absent'
  return status === 401 || status === 403 || status === 408 || status >= 500 ? 'silent' : 'maybe-absent'
}

/** Consecutive complete lists that must lack a resource before it counts as gone. */
const missesUntilGone = 2

/** Consecutive lists whose total is off by the same number before that counts as normal for the service. */
const sameExcessUntilNormal = 3

type Listed = Pick<Reading<unknown>, 'complete' | 'unreadable' | 'excess'>

function createRuns() {
  const counts = new Map<string, number>()
  return {
    /** Adds the ids of one more list, if `doesCount`. Returns the ids named `enough` times in a row. */
    add(ids: readonly string[], doesCount: boolean, enough: number): ReadonlySet<string> {
      for (const id of counts.keys()) if (!ids.includes(id)) counts.delete(id)
      if (doesCount) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
      return new Set(ids.filter((id) => (counts.get(id) ?? 0) >= enough))
    },
  }
}

/** Counts the consecutive lists that lack a known resource. */
export function createAbsences() {
  const missingRuns = createRuns()
  const deniedRuns = createRuns()
  let excess: number | null = null
  let sameExcess = 0

  function isUsualExcess(now: number | null): boolean {
    sameExcess = now !== null && now === excess ? sameExcess + 1 : 1
    excess = now
    return now !== null && sameExcess >= sameExcessUntilNormal
  }

  return {
    /**
     * Adds a list; `missing` are the known ids that it lacks. Only a complete list whose ids are all readable counts.
     * Returns the ids that count as gone.
     */
    take(
      missing: readonly string[],
      { complete, unreadable, excess: now = null }: Listed,
    ): ReadonlySet<string> {
      const isWhole = isUsualExcess(now) || complete
      return missingRuns.add(missing, isWhole && unreadable.every(({ id }) => id !== null), missesUntilGone)
    },
    /** Adds missing ids whose detail answered 404. Returns the ids that enough full lists lacked. */
    takeDenied: (ids: readonly string[], { excess: now = null, complete }: Listed): ReadonlySet<string> =>
      deniedRuns.add(ids, complete || now !== null, sameExcessUntilNormal),
  }
}
export type Absences = ReturnType<typeof createAbsences>
