import { posix, win32 } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { SshConnectionView, SshDefaults, sshCalls, sshEvents } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import { type MonotonicClock, systemClock } from '../core/clock'
import { removeLeftFolders } from '../core/process-folder'
import { createEmitter, type Emitter, type Subscribe } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Connection, LauncherDeps } from './launcher/connect'
import { aliasSuffix, fingerprint, type HostKey, hostKeyAlias } from './client/host-key'
import { hostAndPort } from './client/host-key-check'
import { listIdentities } from './client/identities'
import { type KnownHosts, openKnownHosts } from './client/known-hosts'
import type { SignInAnswers } from './client/sign-in'
import {
  isPlainHost,
  isPlainUser,
  plainHost,
  plainJumpHost,
  plainPort,
  plainUser,
  readJumpHost,
} from './client/plain-values'
import { checkedSettings, type SettingsChanges } from './checked-settings'
import {
  accountDefaults,
  machineSettings,
  SshSettings,
  withAccountDefaults,
  withoutProvided,
  withMachineSettings,
  withoutAccount,
} from './settings'
import type { SettingsStore } from '../store/settings'
import { typedCommand } from './launcher/ssh-arguments'
import { insideTerminal } from './launcher/terminal-choice'
import { runsSystemSsh } from './launcher/find-program'
import { createOfferedTerminals } from './available-terminals'
import { createFirstContact } from './first-contact'
import type { AskingStart } from './askpass/answers'
import type { Askpass } from './askpass/index'
import type { SshKeys } from './keys/index'
import { createReach, type ReachedMachine, type ReachResult, type UncheckedDestination } from './destination'
import { createShownConnections } from './connection-views'

export interface SshDeps extends LauncherDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  /** Id of the user's terminal; null: the best installed terminal. */
  terminal(): string | null
  /** Whether the system has pseudo-terminals. */
  hasPty(): Promise<boolean>
  machine(account: AccountId, id: string): MachineView | undefined
  /** Settings that the account provides: the sandbox's port and identity. */
  defaults(account: AccountId): Partial<SshDefaults>
  /** Answers questions of ssh. */
  readonly askpass: Pick<Askpass, 'listen' | 'confirms'>
  /** Whether the user confirms host keys of first contacts; false if absent. */
  confirmsHostKeys?(): boolean
  /** Keys that opened machines. */
  readonly keys: Pick<SshKeys, 'openedBy' | 'remember' | 'find' | 'drop' | 'identityFor'>
  /** Opens a file dialog; null: the user cancelled. */
  chooseFile(): Promise<string | null>
  /** The computer's clock if absent. */
  readonly monotonic?: MonotonicClock['monotonic']
}

/** One machine, or all machines of the account (null). */
export interface ReachChange {
  readonly account: AccountId
  readonly machine: string | null
}

/** Parts from which sessions in terminals are opened. */
interface SessionParts {
  readonly knownHosts: KnownHosts
  readonly chooseTerminal: ReturnType<typeof createOfferedTerminals>['choose']
  /** Returns a checked connection, for each attempt. `anyway`: connects even if the host doesn't answer. */
  connectionOf(account: AccountId, machine: string, anyway: boolean): Promise<Connection>
  hostKeysOf(alias: string): Pick<AskingStart, 'hostKeys' | 'confirmHostKey' | 'forgetHostKeys'>
  reach(account: AccountId, machine: string, asks: SignInAnswers): Promise<ReachResult>
}

export interface Ssh {
  readonly handlers: HandlersOf<typeof sshCalls>
  readonly events: EventsOf<typeof sshEvents>
  readonly sessions: SessionParts
  /** Changes how a machine is reached. Fails with invalid-input (machine, user, port, identityFile). */
  configure(account: AccountId, machine: string, changes: SettingsChanges): Promise<SshConnectionView>
  /**
   * Returns how the application's own connections reach a machine: with the user, host, host keys and identity of a
   * terminal. `isSilent`: without questions to the user.
   */
  reach(account: AccountId, machine: string, isSilent?: boolean): Promise<ReachResult>
  /** Returns user, address and key of a machine, unchecked. */
  destination(account: AccountId, machine: ReachedMachine): UncheckedDestination
  readonly knownHosts: Pick<KnownHosts, 'path' | 'ensure'>
  /** Records a host key, which may be unseen. */
  record(account: AccountId, machine: string, key: HostKey): Promise<void>
  /** The settings by which machines are reached have changed. */
  readonly onReachChange: Subscribe<ReachChange>
  /** Removes the host keys and settings of all machines of an account. */
  forgetAccount(account: AccountId): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

type Reach = ReturnType<typeof createReach>
const openSettings = ({ settings }: Pick<SshDeps, 'settings'>) => settings.section('ssh', SshSettings)

interface Parts {
  readonly deps: SshDeps
  readonly knownHosts: KnownHosts
  readonly terminals: ReturnType<typeof createOfferedTerminals>
  readonly reachOf: Reach['reachOf']
  readonly confirmsOf: ReturnType<typeof createFirstContact>
  /** Fails with invalid-input (machine). */
  machineOf(account: AccountId, id: string): MachineView
}

/** Returns a function that describes the connection of a machine to the window. */
const connectionViewer =
  ({ deps, knownHosts, terminals, reachOf, machineOf }: Parts) =>
  async (account: AccountId, id: string): Promise<SshConnectionView> => {
    const { own, user, host, port, identityFile, ...route } = reachOf(account, machineOf(account, id))
    const isPlain = user !== null && host !== null && isPlainUser(user) && isPlainHost(host)
    const [recorded] = await knownHosts.keys(hostKeyAlias(account, id))
    const { terminal } = await terminals.choose()
    return {
      machine: id,
      user,
      host,
      port,
      identityFile,
      jumpHost: route.jumpHost ?? null,
      forwardAgent: route.forwardAgent ?? false,
      options: route.options ?? null,
      command: isPlain ? typedCommand({ user, host, port, identityFile, ...route }, deps.platform) : null,
      hostKey: recorded === undefined ? null : fingerprint(recorded),
      settings: own,
      terminal: terminal.name,
      offersInside: terminal !== insideTerminal,
      usesOwnClient: !(await runsSystemSsh(deps.hasPty, deps)),
    }
  }

/** Returns a function that checks how a terminal reaches a machine. Its result fails with invalid-input. */
const terminalConnections =
  ({ deps, knownHosts, reachOf, confirmsOf, machineOf }: Parts): SessionParts['connectionOf'] =>
  async (account, id, anyway) => {
    const machine = machineOf(account, id)
    const { own: _, user, host, port, identityFile, jumpHost, ...sent } = reachOf(account, machine)
    const jump = jumpHost ? plainJumpHost(jumpHost) : null
    const to = { user: plainUser(user), host: plainHost(host), port: plainPort(port), ...sent }
    const alias = hostKeyAlias(account, id)
    const confirms = confirmsOf(account, id, { alias, host: to.host, port: to.port })
    const known = await knownHosts.keys(alias)
    // A machine that the user has yet to confirm learns no key of theirs.
    const mayProbe = known.length > 0 || confirms === undefined
    // A key that can't be stored is found again at the next connection.
    if (identityFile === null && jump === null && !anyway && mayProbe)
      await deps.keys.find(account, id, { ...to, known }).catch(() => false)
    const remembered = identityFile === null ? await deps.keys.identityFor(account, id) : null
    return {
      destination: { ...to, jumpHost: jump, identityFile: identityFile ?? remembered },
      isRemembered: remembered !== null,
      machineName: machine.name,
      alias,
      anyway,
      confirms,
    }
  }

interface ChangeParts extends Parts, Pick<Reach, 'defaultsOf' | 'jumpAlias'> {
  readonly settings: ReturnType<typeof openSettings>
  readonly shown: ReturnType<typeof createShownConnections>
  readonly view: ReturnType<typeof connectionViewer>
  readonly reachChanges: Emitter<ReachChange>
}

/** Changes by the user to how machines are reached. */
function settingsChanges(parts: ChangeParts) {
  const { deps, settings, knownHosts, shown, view, defaultsOf, jumpAlias, reachOf, machineOf } = parts

  async function reachChanged(account: AccountId, machine: string | null): Promise<void> {
    parts.reachChanges.emit({ account, machine })
    await shown.refresh()
  }
  async function configure(
    account: AccountId,
    id: string,
    changes: SettingsChanges,
  ): Promise<SshConnectionView> {
    machineOf(account, id)
    const value = await checkedSettings(machineSettings(settings.read(), account, id), changes, deps)
    await settings.change((stored) => withMachineSettings(stored, account, id, value))
    await reachChanged(account, id)
    return view(account, id)
  }
  async function configureAccount(account: AccountId, changes: SettingsChanges): Promise<SshDefaults> {
    const checked = await checkedSettings(accountDefaults(settings.read(), account), changes, deps)
    const value = withoutProvided(checked, deps.defaults(account))
    await settings.change((stored) => withAccountDefaults(stored, account, value))
    await reachChanged(account, null)
    return defaultsOf(account)
  }
  async function forgetHostKey(
    account: AccountId,
    machine: string,
    host: string | undefined,
  ): Promise<SshConnectionView> {
    const jump = readJumpHost(reachOf(account, machineOf(account, machine)).jumpHost ?? '')
    const isJump = jump !== null && hostAndPort(jump.host, jump.port) === host
    const alias = isJump ? jumpAlias(account, jump) : hostKeyAlias(account, machine)
    await knownHosts.forget((name) => name === alias)
    if (!isJump) await deps.keys.drop(account, machine)
    await reachChanged(account, machine)
    return shown.show(account, machine)
  }

  return { configure, configureAccount, forgetHostKey }
}

/** One-click SSH: destination and key of a machine, and the terminal to open. */
export const createSsh = (deps: SshDeps): Ssh => {
  const { platform, env, home } = deps
  const settings = openSettings(deps)
  const knownHosts = openKnownHosts((platform === 'win32' ? win32 : posix).join(deps.folder, 'known_hosts'))

  const machineOf = (account: AccountId, id: string): MachineView => {
    const machine = deps.machine(account, id)
    if (machine) return machine
    throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
  }

  const hostKeysOf = (alias: string) => ({
    hostKeys: () => knownHosts.keys(alias),
    confirmHostKey: (key: HostKey) => knownHosts.add(alias, key),
    forgetHostKeys: () => knownHosts.forget((name) => name === alias),
  })
  const reachChanges = createEmitter<ReachChange>()
  const confirmsOf = createFirstContact({
    ...deps,
    knownHosts,
    machineName: (account, id) => machineOf(account, id).name,
    confirmed: (account, machine) => reachChanges.emit({ account, machine }),
  })
  const { defaultsOf, reachOf, reach, jumpAlias } = createReach({
    settings,
    knownHosts,
    home,
    platform,
    env,
    keys: deps.keys,
    folder: deps.folder,
    monotonic: deps.monotonic ?? systemClock.monotonic,
    defaults: deps.defaults,
    confirms: confirmsOf,
    listen: (account, id, to) =>
      deps.askpass.listen({
        account,
        machine: id,
        machineName: machineOf(account, id).name,
        ...to,
        ...hostKeysOf(to.alias),
      }),
  })
  const terminals = createOfferedTerminals({ ...deps, settings, chosen: () => deps.terminal() })
  const parts: Parts = { deps, knownHosts, terminals, reachOf, confirmsOf, machineOf }
  const view = connectionViewer(parts)
  const shown = createShownConnections(view)
  knownHosts.onChange(() => void shown.refresh())

  const { configure, configureAccount, forgetHostKey } = settingsChanges({
    ...parts,
    settings,
    shown,
    view,
    defaultsOf,
    jumpAlias,
    reachChanges,
  })

  return defineModule({
    handlers: {
      'ssh.terminals': terminals.views,
      'ssh.setCommand': async ({ command }) => {
        const views = await terminals.setCommand(command)
        await shown.refresh()
        return views
      },
      'ssh.identities': async () => [...(await listIdentities(home, platform))],
      'ssh.connection': ({ account, machine }) => shown.show(account, machine),
      'ssh.configure': ({ account, machine, ...changes }) => configure(account, machine, changes),
      'ssh.defaults': ({ account }) => defaultsOf(account),
      'ssh.configureAccount': ({ account, ...changes }) => configureAccount(account, changes),
      'ssh.chooseIdentity': async ({ account, machine }) => {
        machineOf(account, machine)
        const identityFile = await deps.chooseFile()
        return identityFile === null
          ? shown.show(account, machine)
          : configure(account, machine, { identityFile })
      },
      'ssh.forgetHostKey': ({ account, machine, host }) => forgetHostKey(account, machine, host),
    },
    events: { 'ssh.changed': shown.onChange },
    sessions: {
      knownHosts,
      chooseTerminal: terminals.choose,
      connectionOf: terminalConnections(parts),
      hostKeysOf,
      reach: (account, id, asks) => reach(account, machineOf(account, id), false, asks),
    },
    configure,
    reach: async (account, id, isSilent) => reach(account, machineOf(account, id), isSilent),
    destination: reachOf,
    knownHosts,
    record: async (account, machine, key) => {
      await knownHosts.add(hostKeyAlias(account, machine), key)
      await shown.refresh()
    },
    onReachChange: reachChanges.on,
    forgetAccount: async (account) => {
      shown.forgetAccount(account)
      // Both run even if one fails.
      await Promise.all([
        settings.change((stored) => withoutAccount(stored, account)),
        knownHosts.forget((name) => name.endsWith(aliasSuffix(account))),
      ])
    },
    start: () => removeLeftFolders(),
    close: async () => {
      shown.close()
      await knownHosts.close()
    },
  })
}
