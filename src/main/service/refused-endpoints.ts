import type { Method } from './transport'

/** One endpoint with the ids in its path. */
interface Endpoint {
  readonly method: Method
  readonly path: string
}

const keyOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Groups endpoints that differ in ids only. An id contains a digit; the service's own path segments contain none. */
const endpointOf = (endpoint: Endpoint): string => keyOf(endpoint).replace(/\/[^/]*\d[^/]*/g, '/{id}')

/**
 * Tracks the endpoints that an account may not use although the service accepts its sign-in: they answer 401 even
 * after a fresh one. Kept in memory; an endpoint that answers is removed. `credential` is the value that was sent.
 */
export function createRefusedEndpoints() {
  const forbidden = new Set<string>()
  /** Credential that an endpoint refused while others accepted it, by endpoint. */
  const refusing = new Map<string, string>()
  const refused = new Map<string, string>()

  return {
    isForbidden: (endpoint: Endpoint, credential: string): boolean =>
      forbidden.has(keyOf(endpoint)) || refusing.get(endpointOf(endpoint)) === credential,
    /** Whether the endpoint refused another credential and has not answered since. */
    wasRefused(endpoint: Endpoint, credential: string): boolean {
      const before = refused.get(keyOf(endpoint))
      return before !== undefined && before !== credential
    },
    refuses: (endpoint: Endpoint, credential: string): void => void refused.set(keyOf(endpoint), credential),
    forbids(endpoint: Endpoint, credential: string): void {
      forbidden.add(keyOf(endpoint))
      refusing.set(endpointOf(endpoint), credential)
    },
    answers(endpoint: Endpoint): void {
      forbidden.delete(keyOf(endpoint))
      refusing.delete(endpointOf(endpoint))
      refused.delete(keyOf(endpoint))
    },
  }
}
