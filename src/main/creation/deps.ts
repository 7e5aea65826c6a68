import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import type { FleetChange, MachineView } from '#shared/bridge/fleet'
import type { Accounts } from '../accounts/index'
import type { MonotonicClock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import type { KeyPlace } from '../ssh/keys/generate-key'

/** What the creation of machines is built from. */
export interface CreationDeps {
  readonly accounts: Pick<Accounts, 'service' | 'view'>
  readonly fleet: {
    view(account: AccountId, machine: string): MachineView | undefined
    /** Ids of the machines known so far. */
    known(account: AccountId): readonly string[]
    onChange(listener: (change: FleetChange) => void): () => void
    refresh(account: AccountId): Promise<void>
  }
  readonly documents: Sections
  readonly keys: KeyPlace
  readonly clock: MonotonicClock
  /** Lets Connect use this private key for the machine, which the fleet knows by now. */
  useIdentity(account: AccountId, machine: string, identityFile: string): Promise<void>
  /** Bare metal has no list: the module that keeps one learns of the new instance here. */
  bareMetalCreated(
    account: AccountId,
    instance: { readonly id: string; readonly name: string },
  ): Promise<void>
  /** A machine or instance runs, or failed to. */
  settled(creation: Creation): void
  readonly report: ReportError
}
