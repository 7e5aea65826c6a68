import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { terminalEnvironment } from './environment'
import { findSsh, knowsOptions } from './find-program'
import { askHostKey, hostAndPort, judgeHostKey } from '../client/host-key-check'
import { checkedIdentity } from '../client/identities'
import type { ConfirmHostKey } from '../client/host-key'
import type { KnownHosts } from '../client/known-hosts'
import { openWindow } from './open-window'
import { isPlainPath, windowTitle } from '../client/plain-values'
import { asksHostKey, type Destination, noKnownHostsCommand, sshArguments } from './ssh-arguments'
import type { SessionWindow, Terminal } from './terminal'

/** Limit in seconds for a host to offer its key. A user who connects anyway must still notice a changed key. */
const hostKeyTimeouts = { first: 8, anyway: 3 }

/** A session that ends sooner has not begun: ssh was refused, or the terminal failed. */
const beginningMs = 3_000

/** The terminal could not be opened for this reason, which the user sees. */
export const connectFault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })

/** The user did not trust the key that a host offered. */
export const hostKeyRefused = (host: string): FailureError =>
  new FailureError({ kind: 'host-key-refused', host })

export interface LauncherDeps {
  /** User data; contains the known-hosts file. */
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Time in milliseconds for which a new window is watched; 3,000 if absent. */
  readonly watchFor?: number
}

export interface Connection {
  readonly destination: Destination
  /** The identity is the key that opened the machine last, not a choice of the user. */
  readonly isRemembered: boolean
  readonly machineName: string
  /** The machine's name in the known-hosts file. */
  readonly alias: string
  /** Opens the terminal even if the host doesn't answer. */
  readonly anyway: boolean
  /** Asks about the host key of a first contact. Without it ssh records the key without a question. */
  readonly confirms?: ConfirmHostKey | undefined
}

/** The ssh command of every terminal, in a window or inside the application. */
export interface SshProgram {
  readonly ssh: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
}

const newerOptions = new Map<string, Promise<boolean>>()
/** Whether ssh knows the option. A positive answer is cached. */
const knowsNoCommand = async (ssh: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const answer = newerOptions.get(ssh) ?? knowsOptions(ssh, noKnownHostsCommand, env)
  newerOptions.set(ssh, answer)
  const knows = await answer
  // Retries later: a busy computer may have been too slow.
  if (!knows) newerOptions.delete(ssh)
  return knows
}

/** Returns the ssh command for a destination. Fails with local-fault. */
export const sshCommand = async (
  destination: Destination,
  alias: string,
  knownHosts: KnownHosts,
  { platform, folder, env: desktop }: Pick<LauncherDeps, 'platform' | 'folder' | 'env'>,
): Promise<SshProgram> => {
  const env = terminalEnvironment(desktop)
  const ssh = await findSsh(platform, env)
  if (ssh === null) throw connectFault(translate('ssh.noClient'))
  // On Windows a path relative to the working directory: quotes inside an argument do not survive there.
  const knownHostsName = platform === 'win32' ? 'known_hosts' : knownHosts.path
  if (!isPlainPath(knownHostsName, platform)) throw connectFault(knownHosts.path)
  await knownHosts.ensure()
  const newer = (await knowsNoCommand(ssh, env)) ? noKnownHostsCommand : []
  const args = [...newer, ...sshArguments(destination, knownHostsName, alias, platform)]
  return { ssh, args, env, folder }
}

/**
 * Checks the host key and returns the ssh command. Fails with invalid-input (identityFile), host-key-changed,
 * host-key-refused, cannot-connect, timed-out and local-fault. `gone` cancels a question to the user.
 */
export const sshProgram = async (
  { destination, isRemembered, alias, anyway, confirms }: Omit<Connection, 'machineName'>,
  knownHosts: KnownHosts,
  deps: LauncherDeps,
  gone = new AbortController().signal,
): Promise<SshProgram> => {
  const { host, port } = destination
  if (destination.identityFile !== null && !isRemembered)
    await checkedIdentity(destination.identityFile, deps.home, deps.platform)
  const program = await sshCommand(destination, alias, knownHosts, deps)
  // A host behind a jump host can't be asked from here: ssh itself stops at a changed key and asks about a new one.
  if (!destination.jumpHost) {
    const known = await knownHosts.keys(alias)
    const answer = await askHostKey(
      host,
      port,
      known,
      anyway ? hostKeyTimeouts.anyway : hostKeyTimeouts.first,
    )
    const place = hostAndPort(host, port)
    const isNew = known.length === 0 && answer.kind === 'offered'
    if (isNew && confirms && !(await confirms(answer.key, gone))) throw hostKeyRefused(place)
    judgeHostKey(place, known, answer, anyway)
  }
  return confirms ? { ...program, args: [...asksHostKey, ...program.args] } : program
}

/**
 * A terminal and its path. `env`: more variables for ssh, once the host key is confirmed. Not every terminal passes its
 * environment on.
 */
interface OpenedTerminal {
  readonly terminal: Terminal
  readonly path: string
  env(): Promise<NodeJS.ProcessEnv>
}

/**
 * Opens a terminal. Fails as `sshProgram` does, before a window opens. Returns the state of the window: `ended` if ssh was
 * refused at once, `failed` if there is no window. A program that hands its session on always counts as `runs`.
 */
export const connect = async (
  connection: Connection,
  { terminal, path, env: addedTo }: OpenedTerminal,
  knownHosts: KnownHosts,
  deps: LauncherDeps,
): ReturnType<typeof openWindow> => {
  const { destination, machineName } = connection
  const { env, ...program } = await sshProgram(connection, knownHosts, deps)
  const { folder } = program
  const added = await addedTo()
  const window: Omit<SessionWindow, 'hold'> = {
    ...program,
    title: windowTitle(machineName, `${destination.user}@${destination.host}`),
  }
  const begun = await openWindow(
    terminal.launch(path, { ...window, hold: false }),
    terminal.canHold ? terminal.launch(path, { ...window, hold: true }) : null,
    { env: { ...env, ...added }, folder, watchFor: deps.watchFor ?? beginningMs },
  )
  return begun.kind === 'ended' && !terminal.staysWithWindow ? { kind: 'runs' } : begun
}
