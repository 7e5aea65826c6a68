import type { Failure } from '#shared/failure'
import type { Reading } from './read-all-pages'

/**
 * What the failure of a detail says about the thing: `absent` as the service's own word, `maybe-absent` where it answered
 * something else than the thing, `silent` where no look was possible: the network, a refusal to sign in or to say, a limit of
 * requests, a fault of the service.
 */
export function presenceAfter(failure: Failure): 'absent' | 'maybe-absent' | 'silent' {
  const isGone = (status: number | undefined): boolean => status === 404 || status === 410
  if (failure.kind === 'unexpected-answer') return isGone(failure.status) ? 'maybe-absent' : 'silent'
  if (failure.kind !== 'refused-by-service') return 'silent'
  const { status } = failure
  if (isGone(status)) return 'absent'
  return status === 401 || status === 403 || status === 408 || status >= 500 ? 'silent' : 'maybe-absent'
}

/** Complete lists in a row that something is absent from before it counts as gone. */
const conclusive = 2

type Listed = Pick<Reading<unknown>, 'complete' | 'unreadable'>

/** Counts, by id, the complete lists in a row that did not name something that is known. */
export function createAbsences() {
  const counts = new Map<string, number>()
  return {
    /**
     * Takes in a list: `missing` are the known ids that it does not name. Only a complete one counts, in which every id
     * could be read. Returns the ids that are gone by the lists alone.
     */
    take(missing: readonly string[], { complete, unreadable }: Listed): ReadonlySet<string> {
      for (const id of counts.keys()) if (!missing.includes(id)) counts.delete(id)
      if (complete && unreadable.every(({ id }) => id !== null))
        for (const id of missing) counts.set(id, (counts.get(id) ?? 0) + 1)
      return new Set(missing.filter((id) => (counts.get(id) ?? 0) >= conclusive))
    },
  }
}
export type Absences = ReturnType<typeof createAbsences>
