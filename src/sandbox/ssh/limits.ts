/** Limits of one SSH server. */
export interface Limits {
  /** Concurrent connections, and how many of them may be unauthenticated. */
  readonly connections: number
  readonly unauthenticated: number
  /** Authentication attempts per connection; each offered key is one. */
  readonly attempts: number
  /** Concurrent sessions and forwarded connections per connection. */
  readonly channels: number
  /** within which a client must be authenticated */
  readonly authenticationTimeoutMs: number
  /** after which a connection without channels is closed; a dead peer is detected sooner */
  readonly idleTimeoutMs: number
  /** unsent bytes that are buffered for a client that does not read */
  readonly unsent: number
  /** bytes of memory, for one machine's disk and for all */
  readonly disk: number
  readonly disks: number
}

const megabyte = 1024 * 1024

export const defaultLimits: Limits = {
  connections: 1024,
  unauthenticated: 256,
  attempts: 20,
  channels: 64,
  authenticationTimeoutMs: 30_000,
  idleTimeoutMs: 12 * 3600 * 1000,
  unsent: 128 * megabyte,
  disk: 256 * megabyte,
  disks: 1024 * megabyte,
}
