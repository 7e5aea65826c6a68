import { posix, win32 } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { SshConnectionView, SshDefaults, sshCalls, sshEvents } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import { type MonotonicClock, systemClock } from '../core/clock'
import { removeLeftFolders } from '../core/process-folder'
import { createEmitter, type Subscribe } from '#shared/emitter'
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
  /** Its section `ssh` is ours. */
  readonly settings: Pick<SettingsStore, 'section'>
  /** The terminal that the person chose, by id; null: the best one found. */
  terminal(): string | null
  /** Whether the system has pseudo-terminals. */
  hasPty(): Promise<boolean>
  machine(account: AccountId, id: string): MachineView | undefined
  /** What the account brings with it: the sandbox's port and identity. */
  defaults(account: AccountId): Partial<SshDefaults>
  /** Answers what ssh asks. */
  readonly askpass: Pick<Askpass, 'listen' | 'confirms'>
  /** Whether the person is asked about the host key of a first contact; not where absent. */
  confirmsHostKeys?(): boolean
  /** Which key opened which machine. */
  readonly keys: Pick<SshKeys, 'openedBy' | 'remember' | 'find' | 'drop' | 'identityFor'>
  /** A file dialog; null where the person cancelled. */
  chooseFile(): Promise<string | null>
  /** Without one, the computer's own. */
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
  /** Checked again for every attempt. `anyway`: connects although nothing answered. */
  connectionOf(account: AccountId, machine: string, anyway: boolean): Promise<Connection>
  hostKeysOf(alias: string): Pick<AskingStart, 'hostKeys' | 'confirmHostKey' | 'forgetHostKeys'>
  reach(account: AccountId, machine: string, asks: SignInAnswers): Promise<ReachResult>
}

export interface Ssh {
  readonly handlers: HandlersOf<typeof sshCalls>
  readonly events: EventsOf<typeof sshEvents>
  readonly sessions: SessionParts
  /** Sets how one machine is reached. Fails with invalid-input (machine, user, port, identityFile). */
  configure(account: AccountId, machine: string, changes: SettingsChanges): Promise<SshConnectionView>
  /** How a connection of the application's own reaches a machine: with the user, host, host keys and identity of a terminal. `isSilent`: the person is asked nothing. */
  reach(account: AccountId, machine: string, isSilent?: boolean): Promise<ReachResult>
  /** Who, where and with which key, nothing of it checked yet. */
  destination(account: AccountId, machine: ReachedMachine): UncheckedDestination
  /** The file of host keys: its path, and what makes it. */
  readonly knownHosts: Pick<KnownHosts, 'path' | 'ensure'>
  /** Records a host key that the person accepted, or one that is not seen yet. */
  record(account: AccountId, machine: string, key: HostKey): Promise<void>
  /** How machines are reached has changed. */
  readonly onReachChange: Subscribe<ReachChange>
  /** Removes the host keys and settings of all machines of an account. */
  forgetAccount(account: AccountId): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** One-click SSH: who, where, with which key, and in which terminal. */
export const createSsh = (deps: SshDeps): Ssh => {
  const { platform, env, home } = deps
  const settings = deps.settings.section('ssh', SshSettings)
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

  const offered = createOfferedTerminals({ ...deps, settings, chosen: () => deps.terminal() })

  const view = async (account: AccountId, id: string): Promise<SshConnectionView> => {
    const machine = machineOf(account, id)
    const { own, user, host, port, identityFile, ...route } = reachOf(account, machine)
    const isPlain = user !== null && host !== null && isPlainUser(user) && isPlainHost(host)
    const [recorded] = await knownHosts.keys(hostKeyAlias(account, id))
    const chosen = await offered.choose()
    return {
      machine: id,
      user,
      host,
      port,
      identityFile,
      jumpHost: route.jumpHost ?? null,
      forwardAgent: route.forwardAgent ?? false,
      options: route.options ?? null,
      command: isPlain ? typedCommand({ user, host, port, identityFile, ...route }, platform) : null,
      hostKey: recorded === undefined ? null : fingerprint(recorded),
      settings: own,
      terminal: chosen.terminal.name,
      offersInside: chosen.terminal !== insideTerminal,
      usesOwnClient: !(await runsSystemSsh(deps.hasPty, deps)),
    }
  }

  const shown = createShownConnections(view)
  knownHosts.onChange(() => void shown.refresh())
  const emitReachChange = async (change: ReachChange): Promise<void> => {
    reachChanges.emit(change)
    await shown.refresh()
  }

  const configure = async (
    account: AccountId,
    id: string,
    changes: SettingsChanges,
  ): Promise<SshConnectionView> => {
    machineOf(account, id)
    const value = await checkedSettings(machineSettings(settings.read(), account, id), changes, deps)
    await settings.change((stored) => withMachineSettings(stored, account, id, value))
    await emitReachChange({ account, machine: id })
    return view(account, id)
  }

  /** What cannot be written now is found out again at the next connection. */
  const findKey: SshKeys['find'] = (...given) => deps.keys.find(...given).catch(() => false)

  const connectionOf = async (account: AccountId, id: string, anyway: boolean): Promise<Connection> => {
    const machine = machineOf(account, id)
    const { own: _, user, host, port, identityFile, jumpHost, ...sent } = reachOf(account, machine)
    const jump = jumpHost ? plainJumpHost(jumpHost) : null
    const to = { user: plainUser(user), host: plainHost(host), port: plainPort(port), ...sent }
    const alias = hostKeyAlias(account, id)
    const confirms = confirmsOf(account, id, { alias, host: to.host, port: to.port })
    const known = await knownHosts.keys(alias)
    // A machine that the person is to confirm first learns no key of theirs.
    const mayBeAsked = known.length > 0 || confirms === undefined
    if (identityFile === null && jump === null && !anyway && mayBeAsked)
      await findKey(account, id, { ...to, known })
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

  const record = async (account: AccountId, machine: string, key: HostKey): Promise<void> => {
    await knownHosts.add(hostKeyAlias(account, machine), key)
    await shown.refresh()
  }

  return defineModule({
    handlers: {
      'ssh.terminals': offered.views,
      'ssh.setCommand': async ({ command }) => {
        const views = await offered.setCommand(command)
        await shown.refresh()
        return views
      },
      'ssh.identities': async () => [...(await listIdentities(home, platform))],
      'ssh.connection': ({ account, machine }) => shown.show(account, machine),
      'ssh.configure': ({ account, machine, ...changes }) => configure(account, machine, changes),
      'ssh.defaults': ({ account }) => defaultsOf(account),
      'ssh.configureAccount': async ({ account, ...changes }) => {
        const checked = await checkedSettings(accountDefaults(settings.read(), account), changes, deps)
        const value = withoutProvided(checked, deps.defaults(account))
        await settings.change((stored) => withAccountDefaults(stored, account, value))
        await emitReachChange({ account, machine: null })
        return defaultsOf(account)
      },
      'ssh.chooseIdentity': async ({ account, machine }) => {
        machineOf(account, machine)
        const identityFile = await deps.chooseFile()
        return identityFile === null
          ? shown.show(account, machine)
          : configure(account, machine, { identityFile })
      },
      'ssh.forgetHostKey': async ({ account, machine, host }) => {
        const jump = readJumpHost(reachOf(account, machineOf(account, machine)).jumpHost ?? '')
        const isJump = jump !== null && hostAndPort(jump.host, jump.port) === host
        const alias = isJump ? jumpAlias(account, jump) : hostKeyAlias(account, machine)
        await knownHosts.forget((name) => name === alias)
        if (!isJump) await deps.keys.drop(account, machine)
        await emitReachChange({ account, machine })
        return shown.show(account, machine)
      },
    },
    events: { 'ssh.changed': shown.onChange },
    sessions: {
      knownHosts,
      chooseTerminal: offered.choose,
      connectionOf,
      hostKeysOf,
      reach: (account, id, asks) => reach(account, machineOf(account, id), false, asks),
    },
    configure,
    reach: async (account, id, isSilent) => reach(account, machineOf(account, id), isSilent),
    destination: reachOf,
    knownHosts,
    record,
    onReachChange: reachChanges.on,
    forgetAccount: async (account) => {
      shown.forgetAccount(account)
      // Both, even where one fails.
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
