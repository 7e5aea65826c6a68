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

/** Seconds that a host has to offer its key. Where the person connects anyway, a changed key must still be noticed. */
const answerWithin = { first: 8, anyway: 3 }

/** A session that ends sooner (ms) has not begun: ssh was refused, or the terminal failed. */
const firstMoments = 3_000

/** Why no terminal could be opened, in the person's words. */
export const connectFault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })

/** The person did not take the key that a host offered for its own. */
export const hostKeyRefused = (host: string): FailureError =>
  new FailureError({ kind: 'host-key-refused', host })

export interface LauncherDeps {
  /** User data: the known-hosts file lies here. */
  readonly folder: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** How long a new window is watched, in milliseconds; 3,000 where absent. */
  readonly watchFor?: number
}

export interface Connection {
  readonly destination: Destination
  /** The identity is the key that opened the machine the last time, not one that the person chose. */
  readonly isRemembered: boolean
  readonly machineName: string
  /** The machine's name in the known-hosts file. */
  readonly alias: string
  /** Opens the terminal although nothing answered. */
  readonly anyway: boolean
  /** Asks about the key of a first contact; without it, ssh records that unasked. */
  readonly confirms?: ConfirmHostKey | undefined
}

/** ssh as every terminal runs it, in a window or inside the application. */
export interface SshProgram {
  readonly ssh: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
}

const newerOptions = new Map<string, Promise<boolean>>()
/** Whether the ssh knows the option, asked once of one that does. */
const knowsNoCommand = async (ssh: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const asked = newerOptions.get(ssh) ?? knowsOptions(ssh, noKnownHostsCommand, env)
  newerOptions.set(ssh, asked)
  const knows = await asked
  // A busy computer may have been too slow.
  if (!knows) newerOptions.delete(ssh)
  return knows
}

/** How ssh is run, in whatever program. Fails with local-fault. */
export const sshCommand = async (
  destination: Destination,
  alias: string,
  knownHosts: KnownHosts,
  { platform, folder, env: desktop }: Pick<LauncherDeps, 'platform' | 'folder' | 'env'>,
): Promise<SshProgram> => {
  const env = terminalEnvironment(desktop)
  const ssh = await findSsh(platform, env)
  if (ssh === null) throw connectFault(translate('ssh.noClient'))
  // On Windows the file is named relative to the working directory: quotes within an argument do not survive there.
  const knownHostsName = platform === 'win32' ? 'known_hosts' : knownHosts.path
  if (!isPlainPath(knownHostsName, platform)) throw connectFault(knownHosts.path)
  await knownHosts.ensure()
  const newer = (await knowsNoCommand(ssh, env)) ? noKnownHostsCommand : []
  const args = [...newer, ...sshArguments(destination, knownHostsName, alias, platform)]
  return { ssh, args, env, folder }
}

/**
 * Asks the host for its key and says how ssh is run. Fails with invalid-input (identityFile), host-key-changed,
 * host-key-refused, cannot-connect, timed-out and local-fault. While the person is asked, `gone` gives up.
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
  // Behind a jump host it cannot be asked from here; ssh stops at a changed key by itself, and asks about a new one.
  if (!destination.jumpHost) {
    const known = await knownHosts.keys(alias)
    const answer = await askHostKey(host, port, known, anyway ? answerWithin.anyway : answerWithin.first)
    const place = hostAndPort(host, port)
    const isNew = known.length === 0 && answer.kind === 'offered'
    if (isNew && confirms && !(await confirms(answer.key, gone))) throw hostKeyRefused(place)
    judgeHostKey(place, known, answer, anyway)
  }
  return confirms ? { ...program, args: [...asksHostKey, ...program.args] } : program
}

/** A terminal and where it was found; `env`: what ssh gets besides, once the host key is confirmed, where the terminal hands its environment on. */
interface OpenedTerminal {
  readonly terminal: Terminal
  readonly path: string
  env(): Promise<NodeJS.ProcessEnv>
}

/**
 * Opens a terminal as `sshProgram`, and fails as that does; no window has then been opened. Answers how the window
 * fared: `ended` at once is a session in which ssh was refused, and one that `failed` is not there. Where the program
 * hands the session on, how that fares cannot be seen, and it `runs`.
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
    { env: { ...env, ...added }, folder, watchFor: deps.watchFor ?? firstMoments },
  )
  return begun.kind === 'ended' && !terminal.staysWithWindow ? { kind: 'runs' } : begun
}
