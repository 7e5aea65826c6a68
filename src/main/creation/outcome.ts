import type { CreationState } from '#shared/bridge/creation'

/** Fields that identify the machine of a creation. `started_time`: epoch seconds. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly started_time?: number | null | undefined
}

export interface Sent {
  readonly name: string
  /** Epoch seconds. */
  readonly sentAt: number
  /** Ids that cannot be the result: they existed before, or belong to another creation. */
  readonly before: ReadonlySet<string>
  /** Whether `before` names every machine that existed. Otherwise no listed machine is known to be new. */
  readonly isBaselineWhole: boolean
}

export type Finding =
  | { readonly kind: 'created'; readonly machine: string }
  | { readonly kind: 'unclear'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'absent'; readonly others: readonly Candidate[] }

/** Usual upper bound on the difference between the clocks of the service and this computer. */
const maxClockDifferenceSeconds = 300

/**
 * Finds the machine of a creation whose answer was lost. Ids determine which machines are new, the name which of them
 * matches. Among several matches, recent starts are preferred; a wrong clock never excludes a single match.
 * Without a whole baseline no machine is known to be new. Pure.
 */
export function findCreated(
  { name, sentAt, before, isBaselineWhole }: Sent,
  now: readonly Candidate[],
): Finding {
  const fresh = now.filter(({ id }) => !before.has(id))
  const named = fresh.filter((machine) => machine.name === name)
  const recent = named.filter(
    ({ started_time }) => !started_time || started_time >= sentAt - maxClockDifferenceSeconds,
  )
  const [only, ...more] = recent.length > 0 ? recent : named
  if (only === undefined) return { kind: 'absent', others: fresh }
  return more.length === 0 && isBaselineWhole
    ? { kind: 'created', machine: only.id }
    : { kind: 'unclear', candidates: named }
}

/** Time after which the service no longer acts on a request: twice the time limit of a request. */
const actSeconds = 60
/** Time in which a late machine is still recognized. */
const watchSeconds = 600

/** Returns the seconds until the next look; null if there is none. `elapsed`: seconds since the creation was sent. */
export function nextLook(elapsed: number): number | null {
  if (elapsed < 4) return 1
  if (elapsed < actSeconds) return 8
  return elapsed < watchSeconds ? 30 : null
}

/**
 * Returns the seconds until a failed list is read again. It is retried forever, less and less often, since nothing else
 * shows the outcome. `elapsed`: seconds since the creation was sent.
 */
export const nextTry = (elapsed: number): number => (elapsed < watchSeconds ? 10 : 300)

const summaries = (machines: readonly Candidate[]) => machines.map(({ id, name }) => ({ id, name }))

/**
 * Returns the state after a look. `elapsed`: seconds from the request to the look. `isWhole`: whether the list was
 * complete without new unreadable entries; otherwise the machine may exist unseen.
 */
export function stateAfter(finding: Finding, elapsed: number, isWhole: boolean): CreationState {
  switch (finding.kind) {
    case 'created':
      return { kind: 'created', machine: finding.machine, found: true }
    case 'unclear':
      return { kind: 'unclear', candidates: summaries(finding.candidates) }
    case 'absent':
      if (elapsed < actSeconds) return { kind: 'looking', failure: null }
      return isWhole ? { kind: 'absent', others: summaries(finding.others) } : { kind: 'unknown' }
  }
}
