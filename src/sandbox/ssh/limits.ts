export interface Limits {
  /** Upper bounds on concurrent connections, and on unauthenticated ones among them. */
  readonly connections: number
  readonly unauthenticated: number
  /** Upper bound on authentication attempts per connection; each offered key counts. */
  readonly attempts: number
  /** Upper bound on concurrent sessions and forwarded connections per connection. */
  readonly channels: number
  readonly authenticationTimeoutMs: number
  /** Time after which a connection without channels is closed. A dead peer is detected sooner. */
  readonly idleTimeoutMs: number
  /** Upper bound on the unsent bytes for a client that does not read. */
  readonly unsent: number
  /** Upper bounds on memory in bytes, for one machine's disk and for all disks. */
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
