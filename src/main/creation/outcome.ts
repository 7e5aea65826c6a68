import type { CreationState } from '#shared/bridge/creation'

/** The fields of a machine by which the one that was asked for is recognised. `started_time` is epoch seconds. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly started_time?: number | null | undefined
}

export interface Sent {
  readonly name: string
  /** Epoch seconds. */
  readonly sentAt: number
  /** Ids that were there before it was sent, or that are known to be another's. */
  readonly before: ReadonlySet<string>
  /** Whether `before` names everything that was there: otherwise nothing that is listed later is known to be new. */
  readonly isBaselineWhole: boolean
}

export type Finding =
  | { readonly kind: 'created'; readonly machine: string }
  | { readonly kind: 'unclear'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'absent'; readonly others: readonly Candidate[] }

/** Seconds by which the clocks of the service and of this computer usually differ at most. */
const clockDifference = 300

/**
 * Finds the machine of a creation whose answer was lost, among the machines that are there now. Ids decide which are
 * new, and the name which of those is meant. If several have the name, one that started long before is less likely: a
 * wrong clock never rules out the only one. Without a whole baseline no machine is known to be new. Pure.
 */
export function findCreated(
  { name, sentAt, before, isBaselineWhole }: Sent,
  now: readonly Candidate[],
): Finding {
  const fresh = now.filter(({ id }) => !before.has(id))
  const named = fresh.filter((machine) => machine.name === name)
  const recent = named.filter(({ started_time }) => !started_time || started_time >= sentAt - clockDifference)
  const [only, ...more] = recent.length > 0 ? recent : named
  if (only === undefined) return { kind: 'absent', others: fresh }
  return more.length === 0 && isBaselineWhole
    ? { kind: 'created', machine: only.id }
    : { kind: 'unclear', candidates: named }
}

/** Seconds after which a service that has not acted yet will not act any more: twice what a request may take. */
const settled = 60
/** Seconds during which a machine that turns up late is still recognised. */
const watched = 600

/** Seconds until the next look, by those since the creation was sent; null: no more looks. */
export function nextLook(elapsed: number): number | null {
  if (elapsed < 4) return 1
  if (elapsed < settled) return 8
  return elapsed < watched ? 30 : null
}

/**
 * Seconds until a list that could not be read is tried again, by those since the creation was sent: it is never given
 * up, as nothing else says what became of it, but not asked for ever as often.
 */
export const nextTry = (elapsed: number): number => (elapsed < watched ? 10 : 300)

const plain = (machines: readonly Candidate[]) => machines.map(({ id, name }) => ({ id, name }))

/**
 * What is said after a look that began so many seconds after the creation was sent. `isWhole`: the list was complete,
 * and nothing new in it is unreadable; elsewhere the machine may be there unseen.
 */
export function stateAfter(finding: Finding, elapsed: number, isWhole: boolean): CreationState {
  switch (finding.kind) {
    case 'created':
      return { kind: 'created', machine: finding.machine, found: true }
    case 'unclear':
      return { kind: 'unclear', candidates: plain(finding.candidates) }
    case 'absent':
      if (elapsed < settled) return { kind: 'looking', failure: null }
      return isWhole ? { kind: 'absent', others: plain(finding.others) } : { kind: 'unknown' }
  }
}
