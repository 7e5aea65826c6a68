import type { GpuProfile, MachineFault } from '../cloud/gpu-profile'
import type { Workload } from '../cloud/records'
import type { SetUpRecord } from '../cloud/set-up'

export interface SshMachine {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly username: string
  /** Only authorized key, in OpenSSH's format. */
  readonly publicKey: string
  /** Whether it runs and has booted. */
  readonly running: boolean
  /** Returns the state of cloud-init; done if absent. */
  readonly setUp?: (() => SetUpRecord) | undefined
  readonly gpu: string
  readonly gpuCount: number
  /** Private host key, in OpenSSH's format. */
  readonly hostKey: string
  readonly cpu?: number | undefined
  /** Memory in GB. */
  readonly ram?: number | undefined
  /** Returns the current activity of the GPUs; idle if absent. */
  readonly gpuProfile?: (() => GpuProfile) | undefined
  /** Returns the workload, which its CPUs and processes follow; idle if absent. */
  readonly workload?: (() => Workload) | undefined
  /** Returns the current defects; none if absent. */
  readonly faults?: (() => readonly MachineFault[]) | undefined
  /** Returns the ids of GPU processes that were ended since the last boot; none if absent. */
  readonly ended?: (() => readonly number[]) | undefined
  endProcess?(pid: number): void
  /** Disk in GB. */
  readonly disk?: number | undefined
  /** Epoch seconds. */
  readonly startedAt?: number | undefined
}

/** Returns the machine's name as a host name (RFC 1123), without characters that could control a terminal. */
export const hostNameOf = (machine: Pick<SshMachine, 'name'>): string =>
  machine.name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '') || 'machine'

/** Returns the home directory; `/home/user` for a user name that is not a POSIX name. */
export const homeOf = (machine: Pick<SshMachine, 'username'>): string =>
  `/home/${/^[a-z_][a-z0-9_-]{0,31}$/i.test(machine.username) ? machine.username : 'user'}`

export const hasFault = (machine: Pick<SshMachine, 'faults'>, fault: MachineFault): boolean =>
  machine.faults?.().includes(fault) ?? false
