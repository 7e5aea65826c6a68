import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { SshDefaults } from '#shared/bridge/ssh'

/** What the person has set for an account and for its machines, by their ids. */
const AccountSettings = z.object({
  defaults: SshDefaults,
  machines: z.record(z.string(), SshDefaults),
})

/** The section `ssh` of the settings. */
export const SshSettings = z.object({
  accounts: z.record(z.string(), AccountSettings).default({}),
  /** The command of the person's own that opens a terminal. */
  command: z.string().optional().catch(undefined),
})
export type SshSettings = z.infer<typeof SshSettings>

/** Nothing set. */
const unset: SshDefaults = { user: null, port: null, identityFile: null }

// Ids come from outside: `constructor` is a name like any other.
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
 * Clears settings that equal what the account provides by itself, such as the port of the sandbox: it may differ after
 * the next start.
 */
export const withoutProvided = (value: SshDefaults, provided: Partial<SshDefaults>): SshDefaults => ({
  ...value,
  user: value.user === provided.user ? null : value.user,
  port: value.port === provided.port ? null : value.port,
  identityFile: value.identityFile === provided.identityFile ? null : value.identityFile,
})

/** A machine for which nothing is set leaves no trace. */
export const withMachineSettings = (
  settings: SshSettings,
  account: AccountId,
  machine: string,
  value: SshDefaults,
): SshSettings => {
  const { defaults, machines } = ofAccount(settings, account)
  const others = without(machines, machine)
  const changed = isUnset(value) ? others : { ...others, [machine]: value }
  return { ...settings, accounts: { ...settings.accounts, [account]: { defaults, machines: changed } } }
}

export const withoutAccount = (settings: SshSettings, account: AccountId): SshSettings => ({
  ...settings,
  accounts: without(settings.accounts, account),
})

/** The settings in force: of each the first that is set, `sources` from the most specific to the most general. */
export const effective = (...sources: readonly Partial<SshDefaults>[]): SshDefaults => {
  const first = <Key extends keyof SshDefaults>(key: Key) =>
    sources.find((source) => (source[key] ?? null) !== null)?.[key] ?? null
  const [jumpHost, forwardAgent, options] = [first('jumpHost'), first('forwardAgent'), first('options')]
  return {
    user: first('user'),
    port: first('port'),
    identityFile: first('identityFile'),
    // Left out where nothing is set: most machines have none of them.
    ...(jumpHost !== null && { jumpHost }),
    ...(forwardAgent !== null && { forwardAgent }),
    ...(options !== null && { options }),
  }
}
