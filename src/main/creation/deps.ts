import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { FleetChange, MachineView } from '#shared/bridge/fleet'
import type { Accounts } from '../accounts/index'
import type { MonotonicClock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import type { KeyPlace } from '../ssh/keys/generate-key'

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
  readonly clock: MonotonicClock
  /** Makes Connect use this private key for a machine in the fleet. */
  useIdentity(account: AccountId, machine: string, identityFile: string): Promise<void>
  /** Reports a new instance, since the service has no list of bare metal. */
  bareMetalCreated(
    account: AccountId,
    instance: { readonly id: string; readonly name: string },
  ): Promise<void>
  settled(creation: Creation): void
  readonly report: ReportError
}
