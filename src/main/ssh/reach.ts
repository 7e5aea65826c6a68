import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshConnectionView, SshDefaults } from '#shared/bridge/ssh'
import type { SettingsSection } from '../store/settings'
import type { ConnectionTarget, Via } from './client/connection'
import { hostKeyAlias } from './client/host-key'
import type { KnownHosts } from './client/known-hosts'
import type { KeyPlaces } from './client/agent-keys'
import type { NoKey, offeredKeys } from './client/offered-keys'
import { isPlainHost, isPlainUser, type JumpHost, readJumpHost } from './client/plain-values'
import type { SshKeys } from './keys/index'
import { defaultPort } from './launcher/ssh-arguments'
import { accountDefaults, effective, machineSettings, type SshSettings } from './settings'

/** How a machine is reached, or why nobody can sign in to it from here. */
export type ReachResult =
  | { readonly kind: 'reachable'; readonly target: ConnectionTarget }
  | { readonly kind: 'no-address' }
  | { readonly kind: 'no-user' }
  | NoKey

export type ReachedMachine = Pick<MachineView, 'id' | 'username' | 'address'>

export interface UncheckedDestination
  extends
    Pick<SshConnectionView, 'user' | 'host' | 'port' | 'identityFile'>,
    Pick<SshDefaults, 'jumpHost' | 'forwardAgent'> {
  /** What the person has set for the machine. */
  readonly own: SshDefaults
}

export interface ReachDeps extends KeyPlaces {
  readonly settings: Pick<SettingsSection<SshSettings>, 'read'>
  readonly knownHosts: KnownHosts
  readonly keys: Pick<SshKeys, 'openedBy' | 'remember'>
  /** What the account brings with it. */
  defaults(account: AccountId): Partial<SshDefaults>
}

/** Loaded with the first connection, as ssh2 is: docs/performance.md. */
const keysFor: typeof offeredKeys = async (...given) =>
  (await import('./client/offered-keys')).offeredKeys(...given)

/** Who, where, through which host and with which keys. */
export function createReach(deps: ReachDeps) {
  const { settings, knownHosts, home, platform, env } = deps
  const defaultsOf = (account: AccountId): SshDefaults =>
    effective(accountDefaults(settings.read(), account), deps.defaults(account))

  const reachOf = (account: AccountId, machine: ReachedMachine): UncheckedDestination => {
    const stored = settings.read()
    const own = machineSettings(stored, account, machine.id)
    const { user, port, identityFile, ...route } = effective(
      own,
      accountDefaults(stored, account),
      { user: machine.username },
      deps.defaults(account),
    )
    const to = { user, host: machine.address, port: port ?? defaultPort, identityFile }
    const jump = route.jumpHost ? readJumpHost(route.jumpHost) : null
    // One for the whole account may be one of its machines, and is not reached through itself.
    const isItself = jump !== null && jump.host === to.host && jump.port === to.port
    return { own, ...to, ...route, ...(isItself && { jumpHost: null }) }
  }

  /** A jump host's name in the file of host keys. */
  const jumpAlias = (account: AccountId, { host, port }: Pick<JumpHost, 'host' | 'port'>): string =>
    hostKeyAlias(account, `jump host ${host}:${String(port)}`)
  /** With ssh's own choice of keys, as ProxyJump has it. */
  const viaOf = async (
    account: AccountId,
    { user, host, port }: JumpHost & { readonly user: string },
  ): Promise<Via | NoKey> => {
    const alias = jumpAlias(account, { host, port })
    const offer = await keysFor(user, null, { home, platform, env })
    if (offer.kind !== 'keys') return offer
    const known = await knownHosts.keys(alias)
    return {
      target: { user, host, port, keys: offer.keys, known },
      record: (key) => knownHosts.add(alias, key),
    }
  }

  const reach = async (account: AccountId, machine: ReachedMachine): Promise<ReachResult> => {
    const { user, host, port, identityFile, jumpHost } = reachOf(account, machine)
    if (host === null || !isPlainHost(host)) return { kind: 'no-address' }
    if (user === null || !isPlainUser(user)) return { kind: 'no-user' }
    const { id } = machine
    const isPreferred = deps.keys.openedBy(account, id)
    const offer = await keysFor(user, identityFile, { home, platform, env }, isPreferred)
    if (offer.kind !== 'keys') return offer
    const known = await knownHosts.keys(hostKeyAlias(account, id))
    const opened = (): void => {
      const key = offer.signedWith()
      // What cannot be written now is found out again at the next connection.
      if (key) void deps.keys.remember(account, id, key).catch(() => undefined)
    }
    const target = { user, host, port, keys: offer.keys, known, opened }
    const jump = jumpHost ? readJumpHost(jumpHost) : null
    if (jump === null) return jumpHost ? { kind: 'no-address' } : { kind: 'reachable', target }
    const via = await viaOf(account, { ...jump, user: jump.user ?? user })
    return 'kind' in via ? via : { kind: 'reachable', target: { ...target, via } }
  }

  return { defaultsOf, reachOf, reach, jumpAlias }
}
