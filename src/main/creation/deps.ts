import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { FleetChange, MachineView } from '#shared/bridge/fleet'
import type { Accounts } from '../accounts/index'
import type { MonotonicClock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import type { KeyPlace } from '../ssh/keys/generate-key'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import type { InitScripts } from './init-scripts'

export interface CreationDeps {
  readonly accounts: Pick<Accounts, 'service' | 'view'>
  readonly fleet: {
    view(account: AccountId, machine: string): MachineView | undefined
    known(account: AccountId): readonly string[]
    onChange(listener: (change: FleetChange) => void): () => void
    refresh(account: AccountId): Promise<void>
  }
  readonly documents: Sections
  readonly keys: KeyPlace
  /** Init scripts of created machines. */
  readonly initScripts: Pick<InitScripts, 'add' | 'locate' | 'dropOpen' | 'keepOpen' | 'dropGone'>
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has' | 'hasAll' | 'onChange'>
  /** Returns a machine or an instance from the list. */
  machine(account: AccountId, id: string): MachineView | undefined
  readonly clock: MonotonicClock
  /** Makes Connect use this private key for a machine in the fleet. */
  useIdentity(account: AccountId, machine: string, identityFile: string): Promise<void>
  /** Reports a new instance, since the service has no list of bare metal. */
  bareMetalCreated(
    account: AccountId,
    instance: { readonly id: string; readonly name: string },
  ): Promise<void>
  /** A creation has reached its end, and the window does not show it. */
  settled(creation: Creation): void
  /** Bare metal was read. */
  onBareMetal(listener: (change: { readonly account: AccountId }) => void): () => void
  /** Whether the user ordered commands over SSH for the machine of this draft, so that its first host key is recorded. */
  isSshOrdered(request: string): boolean
  readonly report: ReportError
}
