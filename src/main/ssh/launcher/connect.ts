import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { terminalEnvironment } from './environment'
import { findSsh } from './find-program'
import { askHostKey, hostAndPort, judgeHostKey } from '../client/host-key-check'
import { checkedIdentity } from '../client/identities'
import type { KnownHosts } from '../client/known-hosts'
import { openWindow } from './open-window'
import { isPlainPath, windowTitle } from '../client/plain-values'
import { type Destination, sshArguments } from './ssh-arguments'
import type { SessionWindow, Terminal } from './terminal'

/** Seconds that a host has to offer its key. Where the person goes on anyway, a changed key must still be found out. */
const answerWithin = { first: 8, anyway: 3 }

/** A session that ends sooner (ms) has not begun: ssh was refused, or the terminal failed. */
const firstMoments = 3_000

const fault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })

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
  readonly machineName: string
  /** The machine's name in the known-hosts file. */
  readonly alias: string
  readonly terminal: { readonly terminal: Terminal; readonly path: string } | undefined
  /** Opens the terminal although nothing answered. */
  readonly anyway: boolean
}

/**
 * Asks the host for its key and opens the terminal. Fails with invalid-input (identityFile), host-key-changed,
 * cannot-connect, timed-out and local-fault; no window has then been opened, or none has stayed.
 */
export const connect = async (
  { destination, machineName, alias, terminal: choice, anyway }: Connection,
  knownHosts: KnownHosts,
  deps: LauncherDeps,
): Promise<{ terminal: string }> => {
  const { platform, home, folder } = deps
  const { host, port, user } = destination
  if (destination.identityFile !== null) await checkedIdentity(destination.identityFile, home, platform)
  if (choice === undefined) throw fault(translate('ssh.noTerminal'))
  const env = terminalEnvironment(deps.env)
  const ssh = await findSsh(platform, env)
  if (ssh === null) throw fault(translate('ssh.noClient'))
  // On Windows the file is named relative to the working directory: quotes within an argument do not survive there.
  const knownHostsName = platform === 'win32' ? 'known_hosts' : knownHosts.path
  if (!isPlainPath(knownHostsName, platform)) throw fault(knownHosts.path)

  await knownHosts.ensure()
  const known = await knownHosts.keys(alias)
  const answer = await askHostKey(host, port, known, anyway ? answerWithin.anyway : answerWithin.first)
  judgeHostKey(hostAndPort(host, port), known, answer, anyway)

  const { terminal, path } = choice
  const window: Omit<SessionWindow, 'hold'> = {
    ssh,
    args: sshArguments(destination, knownHostsName, alias, platform),
    title: windowTitle(machineName, `${user}@${host}`),
    folder,
  }
  await openWindow(
    terminal.name,
    terminal.launch(path, { ...window, hold: false }),
    terminal.canHold ? terminal.launch(path, { ...window, hold: true }) : null,
    { env, folder, watchFor: deps.watchFor ?? firstMoments },
  )
  return { terminal: terminal.name }
}
