import type { Creation } from './bridge/creation'
import type { PendingVolume } from './bridge/volume'
import type { Failure } from './failure'

const settledStates: readonly Creation['state']['kind'][] = [
  'booting',
  'setting-up',
  'running',
  'ready',
  'failed',
  'gone',
]
const isSettled = ({ state }: Pick<Creation, 'state'>): boolean => settledStates.includes(state.kind)

/**
 * Returns the creations that require the user's confirmation before another is sent: from the same draft, unfinished
 * with the same name, or with an unknown outcome. Without a readable list, even a creation under another name may be
 * the same machine. Pure.
 */
export const earlierCreations = <Earlier extends Pick<Creation, 'kind' | 'name' | 'state' | 'request'>>(
  creations: readonly Earlier[],
  { kind, name, request }: Pick<Creation, 'kind' | 'name' | 'request'>,
): readonly Earlier[] =>
  creations.filter(
    (earlier) =>
      earlier.kind === kind &&
      (earlier.request === request ||
        (earlier.name === name && !isSettled(earlier)) ||
        earlier.state.kind === 'unknown'),
  )

/** As earlierCreations, for volumes of the same name or form whose outcome is open. Pure. */
export const earlierVolumes = <Earlier extends Pick<PendingVolume, 'name' | 'request'>>(
  pending: readonly Earlier[],
  { name, request }: Pick<PendingVolume, 'name' | 'request'>,
): readonly Earlier[] => pending.filter((earlier) => earlier.name === name || earlier.request === request)

/** Whether a creation was not sent because earlier ones require confirmation. */
export const isOutcomeOpen = (failure: Failure | null): boolean =>
  failure?.kind === 'invalid-input' && failure.reason === 'outcome-open'
