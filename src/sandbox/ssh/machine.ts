import type { GpuProfile } from '../cloud/gpu-profile'

/** What the SSH server must know of a machine to stand for it. */
export interface SshMachine {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly username: string
  /** OpenSSH text of the one key admitted. */
  readonly publicKey: string
  readonly running: boolean
  readonly gpu: string
  readonly gpuCount: number
  /** Private host key, in OpenSSH's format. */
  readonly hostKey: string
  readonly cpu?: number | undefined
  /** GB */
  readonly ram?: number | undefined
  /** What its GPUs are doing, as it is now; at rest where absent. */
  readonly gpuProfile?: (() => GpuProfile) | undefined
  /** Epoch seconds. */
  readonly startedAt?: number | undefined
}

/** What a machine calls itself: its name as a host name (RFC 1123), so that nothing in it can move a terminal's cursor. */
export const hostNameOf = (machine: Pick<SshMachine, 'name'>): string =>
  machine.name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '') || 'machine'

/** The user's home folder; a user name that is no POSIX name gets a plain one. */
export const homeOf = (machine: Pick<SshMachine, 'username'>): string =>
  `/home/${/^[a-z_][a-z0-9_-]{0,31}$/i.test(machine.username) ? machine.username : 'user'}`
