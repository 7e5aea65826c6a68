import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshConnectionView, SshDefaults } from '#shared/bridge/ssh'
import type { MonotonicClock } from '../core/clock'
import type { SettingsSection } from '../store/settings'
import type { ConnectionTarget, Via } from './client/target'
import { type ConfirmHostKey, hostKeyAlias } from './client/host-key'
import type { KnownHosts } from './client/known-hosts'
import { agentSocket, type KeyPlaces } from './client/agent-keys'
import type { KeyOffer, NoKey, offeredKeys } from './client/offered-keys'
import {
  isPlainHost,
  isPlainUser,
  isShellUser,
  type JumpHost,
  noJumpHost,
  readJumpHost,
} from './client/plain-values'
import type { SignInAnswers } from './client/sign-in'
import type { SystemSsh } from './client/system-process'
import type { SshKeys } from './keys/index'
import { defaultPort } from './launcher/ssh-arguments'
import { createSystemTransport } from './system-transport'
import { accountDefaults, effective, machineSettings, type SshSettings } from './settings'

/** The machine has a user name that ssh or a jump host can't use. */
interface UserRefused {
  readonly kind: 'user-refused'
  readonly user: string
  readonly why: 'ssh' | 'jump-host'
}

/** How a machine is reached, or why it can't be. */
export type ReachResult =
  | { readonly kind: 'reachable'; readonly target: ConnectionTarget }
  | { readonly kind: 'no-address' }
  | { readonly kind: 'no-user' }
  | UserRefused
  | NoKey

export type ReachedMachine = Pick<MachineView, 'id' | 'username' | 'address'>

export interface UncheckedDestination
  extends
    Pick<SshConnectionView, 'user' | 'host' | 'port' | 'identityFile'>,
    Pick<SshDefaults, 'jumpHost' | 'forwardAgent' | 'options'> {
  /** The user's settings for the machine. */
  readonly own: SshDefaults
}

/** A start of ssh that may ask questions. */
interface ListeningSsh {
  readonly user: string
  readonly alias: string
  readonly identityFile: string | null
  readonly isSilent: boolean
}

/** A host whose key is recorded. `alias`: its name in the file of host keys. */
export interface KeyPlace {
  readonly alias: string
  readonly host: string
  readonly port: number
}

export interface ReachDeps extends KeyPlaces {
  readonly settings: Pick<SettingsSection<SshSettings>, 'read'>
  readonly knownHosts: KnownHosts
  readonly keys: Pick<SshKeys, 'openedBy' | 'remember' | 'find' | 'drop' | 'identityFor'>
  /** User data; contains the file of host keys. */
  readonly folder: string
  readonly monotonic: MonotonicClock['monotonic']
  /** Opens an endpoint for questions of the system's ssh. */
  listen(account: AccountId, machine: string, to: ListeningSsh): ReturnType<SystemSsh['listen']>
  /** Returns a function that asks about the key of a first contact; undefined: the user confirms no host keys. */
  confirms(account: AccountId, machine: string, place: KeyPlace): ConfirmHostKey | undefined
  /** Settings that the account provides, such as the sandbox's port. */
  defaults(account: AccountId): Partial<SshDefaults>
}

/** Offer without keys, for a client that can ask for a password. */
const noKeys: KeyOffer = { kind: 'keys', keys: [], count: 0, unoffered: [], signedWith: () => undefined }

/** Refuses a first host key in the background: the question waits until the user connects. */
const refusesSilently: ConfirmHostKey = () => Promise.resolve(false)

const isNoKey = (offer: KeyOffer): offer is NoKey => offer.kind !== 'keys'

/** Loads with the first connection, like ssh2 (docs/performance.md). */
const keysFor: typeof offeredKeys = async (...given) =>
  (await import('./client/offered-keys')).offeredKeys(...given)

/** Prevents the ssh of a jump host from opening the desktop's own askpass window. */
const silent = (ssh: SystemSsh): SystemSsh => ({ ...ssh, env: { ...ssh.env, SSH_ASKPASS_REQUIRE: 'never' } })

/** Works out how machines are reached: user, address, jump host and keys. */
export function createReach(deps: ReachDeps) {
  const { settings, knownHosts, home, platform, env } = deps
  const systemTransport = createSystemTransport(deps)
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
    const isNone = route.jumpHost === noJumpHost
    // The account's jump host may be this machine, which is not reached through itself.
    const isItself = jump !== null && jump.host === to.host && jump.port === to.port
    return { own, ...to, ...route, ...((isItself || isNone) && { jumpHost: null }) }
  }

  /** Returns a jump host's name in the file of host keys. */
  const jumpAlias = (account: AccountId, { host, port }: Pick<JumpHost, 'host' | 'port'>): string =>
    hostKeyAlias(account, `jump host ${host}:${String(port)}`)
  /** Signs in to a jump host with ssh's own choice of keys, like ProxyJump. */
  const viaOf = async (
    account: AccountId,
    { user, host, port }: JumpHost & { readonly user: string },
    confirmsAt: (place: KeyPlace) => Pick<ConnectionTarget, 'confirms'>,
  ): Promise<Via | NoKey> => {
    const alias = jumpAlias(account, { host, port })
    const offer = await keysFor(user, null, { home, platform, env })
    if (offer.kind !== 'keys') return offer
    const known = await knownHosts.keys(alias)
    return {
      target: { user, host, port, keys: offer.keys, known, ...confirmsAt({ alias, host, port }) },
      record: (key) => knownHosts.add(alias, { ...key, isUnseen: true }),
    }
  }

  /**
   * `isSilent`: in the background, without questions to the user. `asks`: answers questions of the machine, so a sign-in
   * without a key is possible.
   */
  const reach = async (
    account: AccountId,
    machine: ReachedMachine,
    isSilent = false,
    asks?: SignInAnswers,
  ): Promise<ReachResult> => {
    const { own: _, user, host, port, identityFile, jumpHost, ...sent } = reachOf(account, machine)
    if (host === null || !isPlainHost(host)) return { kind: 'no-address' }
    if (user === null || user === '') return { kind: 'no-user' }
    if (!isPlainUser(user)) return { kind: 'user-refused', user, why: 'ssh' }
    const jump = jumpHost ? readJumpHost(jumpHost) : null
    if (jump === null && jumpHost) return { kind: 'no-address' }
    if (jump !== null && !isShellUser(jump.user ?? user))
      return { kind: 'user-refused', user, why: 'jump-host' }
    const { id } = machine
    const alias = hostKeyAlias(account, id)
    const isPreferred = deps.keys.openedBy(account, id)
    const places = { home, platform, env }
    const known = await knownHosts.keys(alias)
    const offered = () => keysFor(user, identityFile, places, isPreferred, asks?.passphrase)
    const firstOffer = await offered()
    if (firstOffer.kind === 'key-unusable' && firstOffer.why === 'missing') return firstOffer
    const asking = { user, alias, identityFile, isSilent }
    const listen = () => deps.listen(account, id, asking)
    const destination = { user, host, port, identityFile, jumpHost, ...sent }
    let isKeyNew = false
    const identity = async (isDirect: boolean): Promise<string | null> => {
      // Probed keys count as failed attempts at the machine, so none are probed in the background.
      if (isDirect && !isSilent && known.length > 0)
        isKeyNew = await deps.keys.find(account, id, { user, host, port, known }).catch(() => false)
      return deps.keys.identityFor(account, id)
    }
    const { system: ssh, environment } = await systemTransport(
      destination,
      alias,
      firstOffer,
      listen,
      identity,
    )
    const latest = isKeyNew ? await offered() : firstOffer
    const offer = asks && identityFile === null && isNoKey(latest) ? noKeys : latest
    const system = ssh && isSilent ? { ...ssh, ssh: silent(ssh.ssh) } : ssh
    const confirmsAt = (place: KeyPlace): Pick<ConnectionTarget, 'confirms'> => {
      const confirms = deps.confirms(account, id, place)
      return confirms ? { confirms: isSilent ? refusesSilently : confirms } : {}
    }
    const through = jump && { ...jump, user: jump.user ?? user }
    const via = through && (await viaOf(account, through, confirmsAt))
    const noKey = [offer, ...(via && 'kind' in via ? [via] : [])].find(isNoKey)
    if (noKey !== undefined && system === null) return noKey
    const opened = (): void => {
      const key = offer.kind === 'keys' ? offer.signedWith() : undefined
      // A key that can't be stored is found again at the next connection.
      if (key) void deps.keys.remember(account, id, key).catch(() => undefined)
    }
    // Another key may open the machine now.
    const refused = (): void => void deps.keys.drop(account, id).catch(() => undefined)
    const keys = offer.kind === 'keys' ? offer.keys : []
    const lentAgent = sent.forwardAgent && !isSilent ? agentSocket({ home, platform, env }) : undefined
    const target = {
      user,
      host,
      port,
      keys,
      known,
      opened,
      refused,
      environment,
      ...confirmsAt({ alias, host, port }),
      ...(system && {
        system: {
          ...system,
          isNeeded: system.isNeeded || noKey !== undefined,
          hasOtherKeys: offer.kind === 'keys' && offer.unoffered.length > 0,
        },
      }),
      ...(noKey && { noKey }),
      ...(asks && { asks }),
      ...(lentAgent !== undefined && { lentAgent }),
      ...(via && 'target' in via && { via }),
    }
    return { kind: 'reachable', target }
  }

  return { defaultsOf, reachOf, reach, jumpAlias }
}
