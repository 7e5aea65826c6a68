import type { Method } from './transport'

/** One endpoint with what its path names. */
interface Asked {
  readonly method: Method
  readonly path: string
}

const keyOf = ({ method, path }: Asked): string => `${method} ${path}`

/** The same for every machine, volume and so on: an id has digits, the service's own words have none. */
const endpointOf = (asked: Asked): string => keyOf(asked).replace(/\/[^/]*\d[^/]*/g, '/{id}')

/**
 * Which endpoints an account may not use, though the service accepts it elsewhere: one that answers 401 also after a
 * fresh sign-in. Kept in memory; one that answers again is no longer among them. `credential` is what was sent.
 */
export function createRefusedEndpoints() {
  const forbidden = new Set<string>()
  /** By endpoint, the credential that it refused while that was accepted elsewhere. */
  const refusing = new Map<string, string>()
  /** The credential that was refused last, since the endpoint last answered. */
  const refused = new Map<string, string>()

  return {
    isForbidden: (asked: Asked, credential: string): boolean =>
      forbidden.has(keyOf(asked)) || refusing.get(endpointOf(asked)) === credential,
    /** Whether it refused another credential before, and has not answered since. */
    wasRefused(asked: Asked, credential: string): boolean {
      const before = refused.get(keyOf(asked))
      return before !== undefined && before !== credential
    },
    refuses: (asked: Asked, credential: string): void => void refused.set(keyOf(asked), credential),
    forbids(asked: Asked, credential: string): void {
      forbidden.add(keyOf(asked))
      refusing.set(endpointOf(asked), credential)
    },
    answers(asked: Asked): void {
      forbidden.delete(keyOf(asked))
      refusing.delete(endpointOf(asked))
      refused.delete(keyOf(asked))
    },
  }
}
