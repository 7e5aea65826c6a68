import type { Creation } from './bridge/creation'

const isSettled = ({ state }: Pick<Creation, 'state'>): boolean =>
  state.kind === 'running' || state.kind === 'failed'

/**
 * The creations that a person is asked about before another is sent: those made from the same draft, and those of its
 * name that are not settled. Also each whose outcome is unknown: without a list that can be read, nobody can say whether
 * a changed name is the same wish. Pure.
 */
export const earlierCreations = <Earlier extends Pick<Creation, 'kind' | 'name' | 'state' | 'request'>>(
  creations: readonly Earlier[],
  { kind, name, request }: Pick<Creation, 'kind' | 'name' | 'request'>,
): readonly Earlier[] =>
  creations.filter(
    (earlier) =>
      earlier.kind === kind &&
      ((request !== null && earlier.request === request) ||
        (earlier.name === name && !isSettled(earlier)) ||
        earlier.state.kind === 'unknown'),
  )
