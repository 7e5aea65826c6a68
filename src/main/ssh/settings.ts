import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { SshDefaults } from '#shared/bridge/ssh'

/** The user's settings for an account, and for its machines by id. */
const AccountSettings = z.object({
  defaults: SshDefaults,
  machines: z.record(z.string(), SshDefaults),
})

/** Section `ssh` of the settings. */
export const SshSettings = z.object({
  accounts: z.record(z.string(), AccountSettings).default({}),
  /** The user's own command that opens a terminal. */
  command: z.string().optional().catch(undefined),
})
export type SshSettings = z.infer<typeof SshSettings>

const unset: SshDefaults = { user: null, port: null, identityFile: null }

// Ids come from the service and may be `constructor`.
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const ofAccount = (settings: SshSettings, account: AccountId) =>
  own(settings.accounts, account) ?? { defaults: unset, machines: {} }

export const accountDefaults = (settings: SshSettings, account: AccountId): SshDefaults =>
  ofAccount(settings, account).defaults

export const machineSettings = (settings: SshSettings, account: AccountId, machine: string): SshDefaults =>
  own(ofAccount(settings, account).machines, machine) ?? unset

const without = <Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

const isUnset = (value: SshDefaults): boolean =>
  Object.values(value).every((set) => set === null || set === undefined)

export const withAccountDefaults = (
  settings: SshSettings,
  account: AccountId,
  defaults: SshDefaults,
): SshSettings => ({
  ...settings,
  accounts: { ...settings.accounts, [account]: { ...ofAccount(settings, account), defaults } },
})

/**
 * Clears settings that equal those of the account, such as the sandbox's port, which may differ after the next start.
 */
export const withoutProvided = (value: SshDefaults, provided: Partial<SshDefaults>): SshDefaults => ({
  ...value,
  user: value.user === provided.user ? null : value.user,
  port: value.port === provided.port ? null : value.port,
  identityFile: value.identityFile === provided.identityFile ? null : value.identityFile,
})

/** Stores a machine's settings. A machine without settings has no entry. */
export const withMachineSettings = (
  settings: SshSettings,
  account: AccountId,
  machine: string,
  value: SshDefaults,
): SshSettings => {
  const { defaults, machines } = ofAccount(settings, account)
  const otherMachines = without(machines, machine)
  const changed = isUnset(value) ? otherMachines : { ...otherMachines, [machine]: value }
  return { ...settings, accounts: { ...settings.accounts, [account]: { defaults, machines: changed } } }
}

export const withoutAccount = (settings: SshSettings, account: AccountId): SshSettings => ({
  ...settings,
  accounts: without(settings.accounts, account),
})

/** Returns the effective settings: each from the first source that sets it. `sources`: the most specific first. */
export const effective = (...sources: readonly Partial<SshDefaults>[]): SshDefaults => {
  const first = <Key extends keyof SshDefaults>(key: Key) =>
    sources.find((source) => (source[key] ?? null) !== null)?.[key] ?? null
  const [jumpHost, forwardAgent, options] = [first('jumpHost'), first('forwardAgent'), first('options')]
  return {
    user: first('user'),
    port: first('port'),
    identityFile: first('identityFile'),
    // Absent if unset, as for most machines.
    ...(jumpHost !== null && { jumpHost }),
    ...(forwardAgent !== null && { forwardAgent }),
    ...(options !== null && { options }),
  }
}
