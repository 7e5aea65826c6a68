/** What one SSH server lets its clients take. */
export interface Limits {
  /** Connections at once, and how many of them may be still on their way in. */
  readonly connections: number
  readonly unauthenticated: number
  /** Authentication attempts per connection; each key that a client offers is one. */
  readonly attempts: number
  /** Sessions and forwarded connections at once, per connection. */
  readonly channels: number
  /** milliseconds until a client must be authenticated */
  readonly authenticationTime: number
  /** milliseconds that a connection may stay with nothing open in it; a dead peer is noticed much sooner */
  readonly idleTime: number
  /** bytes that may wait in a connection for a client that does not read */
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
  authenticationTime: 30_000,
  idleTime: 12 * 3600 * 1000,
  unsent: 128 * megabyte,
  disk: 256 * megabyte,
  disks: 1024 * megabyte,
}
