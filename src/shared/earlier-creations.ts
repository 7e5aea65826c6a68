import type { Creation } from './bridge/creation'
import type { PendingVolume } from './bridge/volume'
import type { Failure } from './failure'

const isSettled = ({ state }: Pick<Creation, 'state'>): boolean =>
  state.kind === 'running' || state.kind === 'failed'

/**
 * The creations that a person is asked about before another is sent: those made from the same draft, and those of its
 * name that are not settled. Also each whose outcome is unknown: without a readable list it is unknown whether
 * a changed name is the same wish. Pure.
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

/** The same of volumes: those of its name or of its form whose outcome is open. Pure. */
export const earlierVolumes = <Earlier extends Pick<PendingVolume, 'name' | 'request'>>(
  pending: readonly Earlier[],
  { name, request }: Pick<PendingVolume, 'name' | 'request'>,
): readonly Earlier[] => pending.filter((earlier) => earlier.name === name || earlier.request === request)

/** Whether it failed because there are such: nothing was sent, and the person is asked. */
export const isOutcomeOpen = (failure: Failure | null): boolean =>
  failure?.kind === 'invalid-input' && failure.reason === 'outcome-open'
