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

/** How a machine is reached, or why it can't be signed in to from here. */
/** The machine has a user name, and ssh, or a jump host on the way, can't sign in by it. */
interface UserRefused {
  readonly kind: 'user-refused'
  readonly user: string
  readonly why: 'ssh' | 'jump-host'
}

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
  /** What the person has set for the machine. */
  readonly own: SshDefaults
}

/** An ssh that may ask. */
interface ListeningSsh {
  readonly user: string
  readonly alias: string
  readonly identityFile: string | null
  readonly isSilent: boolean
}

/** What a host key is recorded for, and where that is. */
export interface KeyPlace {
  readonly alias: string
  readonly host: string
  readonly port: number
}

export interface ReachDeps extends KeyPlaces {
  readonly settings: Pick<SettingsSection<SshSettings>, 'read'>
  readonly knownHosts: KnownHosts
  readonly keys: Pick<SshKeys, 'openedBy' | 'remember' | 'find' | 'drop' | 'identityFor'>
  /** The application's folder: the file of host keys lies here. */
  readonly folder: string
  readonly monotonic: MonotonicClock['monotonic']
  /** Where the system's ssh asks; `asks`: the person too. */
  listen(account: AccountId, machine: string, to: ListeningSsh): ReturnType<SystemSsh['listen']>
  /** Asks about the key of a first contact; undefined where the person does not wish that. */
  confirms(account: AccountId, machine: string, place: KeyPlace): ConfirmHostKey | undefined
  /** What the account brings with it. */
  defaults(account: AccountId): Partial<SshDefaults>
}

/** What is offered by who can sign in otherwise. */
const noKeys: KeyOffer = { kind: 'keys', keys: [], count: 0, unoffered: [], signedWith: () => undefined }

/** In the background nobody is asked: that waits until the person connects. */
const unasked: ConfirmHostKey = () => Promise.resolve(false)

const isNoKey = (offer: KeyOffer): offer is NoKey => offer.kind !== 'keys'

/** Loaded with the first connection, as ssh2 is: docs/performance.md. */
const keysFor: typeof offeredKeys = async (...given) =>
  (await import('./client/offered-keys')).offeredKeys(...given)

/** Nor does the ssh of a host on the way open a window, as the desktop's own program for its questions would. */
const silent = (ssh: SystemSsh): SystemSsh => ({ ...ssh, env: { ...ssh.env, SSH_ASKPASS_REQUIRE: 'never' } })

/** Who, where, through which host and with which keys. */
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
    // One for the whole account may be one of its machines, and is not reached through itself.
    const isItself = jump !== null && jump.host === to.host && jump.port === to.port
    return { own, ...to, ...route, ...((isItself || isNone) && { jumpHost: null }) }
  }

  /** A jump host's name in the file of host keys. */
  const jumpAlias = (account: AccountId, { host, port }: Pick<JumpHost, 'host' | 'port'>): string =>
    hostKeyAlias(account, `jump host ${host}:${String(port)}`)
  /** With ssh's own choice of keys, as ProxyJump has it. */
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
   * `isSilent`: in the background; the person is asked nothing. `asks`: for a client of our own that asks the person, and
   * may get in without a key.
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
    const found = await offered()
    if (found.kind === 'key-unusable' && found.why === 'missing') return found
    const asking = { user, alias, identityFile, isSilent }
    const listen = () => deps.listen(account, id, asking)
    const destination = { user, host, port, identityFile, jumpHost, ...sent }
    let isNew = false
    const identity = async (isDirect: boolean): Promise<string | null> => {
      // Refused keys count with a machine as failed attempts: in the background none are added.
      if (isDirect && !isSilent && known.length > 0)
        isNew = await deps.keys.find(account, id, { user, host, port, known }).catch(() => false)
      return deps.keys.identityFor(account, id)
    }
    const { system: ssh, environment } = await systemTransport(destination, alias, found, listen, identity)
    const now = isNew ? await offered() : found
    const offer = asks && identityFile === null && isNoKey(now) ? noKeys : now
    const system = ssh && isSilent ? { ...ssh, ssh: silent(ssh.ssh) } : ssh
    const confirmsAt = (place: KeyPlace): Pick<ConnectionTarget, 'confirms'> => {
      const confirms = deps.confirms(account, id, place)
      return confirms ? { confirms: isSilent ? unasked : confirms } : {}
    }
    const through = jump && { ...jump, user: jump.user ?? user }
    const via = through && (await viaOf(account, through, confirmsAt))
    const noKey = [offer, ...(via && 'kind' in via ? [via] : [])].find(isNoKey)
    if (noKey !== undefined && system === null) return noKey
    const opened = (): void => {
      const key = offer.kind === 'keys' ? offer.signedWith() : undefined
      // What cannot be written now is found out again at the next connection.
      if (key) void deps.keys.remember(account, id, key).catch(() => undefined)
    }
    // Another may open it by now.
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
