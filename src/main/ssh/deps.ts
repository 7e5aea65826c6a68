import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshDefaults } from '#shared/bridge/ssh'
import type { SettingsStore } from '../store/settings'

/** What one-click SSH is built from. */
export interface SshDeps {
  /** User data: the known-hosts file lies here. */
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Its section `ssh` is ours. */
  readonly settings: Pick<SettingsStore, 'section'>
  /** The terminal that the person chose, by id; null: the best one found. */
  terminal(): string | null
  machine(account: AccountId, id: string): MachineView | undefined
  /** What the account brings with it: the sandbox's port and identity. */
  defaults(account: AccountId): Partial<SshDefaults>
  /** A file dialog; null where the person cancelled. */
  chooseFile(): Promise<string | null>
  /** How long a new window is watched, in milliseconds; 3,000 where absent. */
  readonly watchFor?: number
}
