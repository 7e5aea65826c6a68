import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshPurpose } from '#shared/bridge/ssh'
import type { SshLink } from '#shared/bridge/ssh-link'
import { machineState } from '#shared/service/machine-state'
import type { ConnectionTarget } from '../client/target'
import type { SshConnection } from '../client/transport'

/** How a part of the application uses a machine's connection. After its answers change, call `SshLease.update`. */
export interface LeaseUse {
  readonly account: AccountId
  readonly machine: string
  /** `action`: a command, a transfer or a forward that the user starts. It needs no consent. */
  readonly purpose: SshPurpose | 'action'
  /** Whether a sign-in may ask the user. Otherwise the lease is in the background. */
  mayAsk(): boolean
  /** Whether the host key of a first contact is recorded without a question, as in a terminal. */
  trustsFirstKey(): boolean
  /** Whether a transfer, a command or a forward runs: a lost connection is then noticed within 20 seconds, otherwise 60. */
  isUrgent(): boolean
  /** Whether the machine never waits for its turn, although no user does. */
  isNeeded?(): boolean
  /** The link has changed. */
  changed(): void
  /** A connection opened, or was open when the lease began. */
  opened(connection: SshConnection): void
  /** The connection that `opened` reported has ended. */
  closed(): void
}

/** A hold on the connection of a machine. */
export interface SshLease {
  link(): SshLink
  connection(): SshConnection | undefined
  /** Address and port of the machine at the last attempt. */
  target(): Pick<ConnectionTarget, 'host' | 'port'> | undefined
  /** Applies changed answers of the use. */
  update(): void
  /** Connects now, also after a refusal, because the user wants it. */
  retry(): void
  /** Records the key of a first contact if it has this fingerprint, and connects. */
  trust(fingerprint: string): Promise<boolean>
  release(): void
}

/** Whether to connect to a machine. An unknown state counts as running: the service need not report one. */
export function mayRun(machine: MachineView | undefined): boolean {
  const state = machineState(machine?.status ?? null)
  return machine !== undefined && machine.address !== null && (state === 'running' || state === 'other')
}

/** Link of a machine without a connection. */
export const unusedLink = (machine: MachineView | undefined): SshLink => ({
  kind: 'off',
  why: mayRun(machine) ? 'paused' : 'not-running',
})
