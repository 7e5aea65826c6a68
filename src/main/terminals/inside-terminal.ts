import { refusedAddress } from '#shared/ssh-wait-reasons'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { onAbort } from '../core/on-abort'
import type { ClientAnswers } from '../ssh/askpass/client-answers'
import type { Endpoint } from '../ssh/askpass/endpoint'
import type { Terminals } from './index'
import type { PrepareProgram, PreparedProgram } from './session'
import { openInteractive } from '../ssh/client/connection'
import { interactiveLimits } from '../ssh/client/target'
import type { HostKey } from '../ssh/client/host-key'
import { hostAndPort } from '../ssh/client/host-key-check'
import type { KnownHosts } from '../ssh/client/known-hosts'
import type { NoKey } from '../ssh/client/offered-keys'
import type { SignInAnswers } from '../ssh/client/sign-in'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import {
  type Connection,
  connectFault,
  hostKeyRefused,
  type LauncherDeps,
  sshProgram,
} from '../ssh/launcher/connect'
import { runsSystemSsh } from '../ssh/launcher/find-program'
import { noRemoteCommand, noticesLostLine } from '../ssh/launcher/ssh-arguments'
import type { ReachResult } from '../ssh/destination'

interface ShellDeps {
  reach(asks: SignInAnswers): Promise<ReachResult>
  record(key: HostKey): Promise<void>
  readonly command: string | null
}

function noKeyFault(noKey: NoKey): FailureError {
  if (noKey.kind === 'keys-unsupported')
    return connectFault(translate('terminal.ownClient.unsupported', { types: noKey.types.join(', ') }))
  const [why, path] = noKey.kind === 'key-unusable' ? [noKey.why, noKey.path] : ['no-key', '']
  return connectFault(translate(`gpu.stop.${why}.text`, { path }))
}

/** Returns the target of the application's own client. Fails with local-fault if the client cannot sign in to it. */
async function targetOf(reach: ShellDeps['reach'], asks: SignInAnswers) {
  const result = await reach(asks)
  if (result.kind === 'no-address' || result.kind === 'no-user')
    throw connectFault(translate(`gpu.stop.${result.kind}.text`))
  if (result.kind === 'user-refused')
    throw connectFault(translate(`gpu.stop.user-refused.${result.why}.text`, { user: result.user }))
  if (result.kind !== 'reachable') throw noKeyFault(result)
  // The system's ssh would need its own terminal.
  const { system: _, noKey, ...target } = result.target
  if (noKey) throw noKeyFault(noKey)
  return target
}

/** Connects and signs in. Fails with host-key-changed, host-key-refused, cannot-connect, timed-out, cancelled, local-fault. */
async function connected(
  { reach, record }: ShellDeps,
  asks: ClientAnswers,
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<{ readonly connection: SshConnection; readonly host: string }> {
  let banner = ''
  /** Prints each part of the server's banners once. */
  const showBanner = (text: string): void => {
    const added = text.startsWith(banner) ? text.slice(banner.length).trimStart() : text
    banner = text
    if (added !== '') print(`${added}\n`)
  }
  const targetWithBanner = async () => ({ ...(await targetOf(reach, asks)), banner: showBanner })
  let target = await targetWithBanner()
  let outcome = await openInteractive(target, signal)
  if (outcome.kind === 'host-key-unknown' && target.known.length === 0) {
    const { key } = outcome
    const isTrusted = (await target.confirms?.(key, signal)) ?? true
    if (signal.aborted) throw new FailureError({ kind: 'cancelled' })
    if (!isTrusted) throw hostKeyRefused(hostAndPort(target.host, target.port))
    target = await targetWithBanner()
    // Another connection may have recorded a key during the question; that key has priority.
    if (target.known.length === 0) {
      const unseen = { ...key, isUnseen: true } as const
      await record(unseen)
      target = { ...target, known: [unseen] }
    }
    outcome = await openInteractive(target, signal)
  }
  const isCut = outcome.kind === 'key-refused' && outcome.isCut === true && !outcome.isJump
  // The keys of an agent may use up all attempts that a server allows (MaxAuthTries).
  if (isCut && target.keys.length > 0 && !asks.wasAsked())
    outcome = await openInteractive({ ...target, keys: [] }, signal)
  if (outcome.kind === 'connected')
    return { connection: outcome.connection, host: hostAndPort(target.host, target.port) }
  // The user closed the terminal or a question.
  if (signal.aborted || asks.isUnanswered()) throw new FailureError({ kind: 'cancelled' })
  const at = ('isJump' in outcome && target.via?.target) || target
  const host = hostAndPort(at.host, at.port)
  switch (outcome.kind) {
    case 'host-key-changed': {
      const { known, offered } = outcome
      throw new FailureError({ kind: 'host-key-changed', host, known, offered })
    }
    case 'host-key-unknown':
    case 'jump-untrusted':
      throw connectFault(translate('terminal.ownClient.hostKey', { host }))
    case 'key-refused': {
      const { user } = at
      const withBanner = (text: string): string => (banner === '' ? text : `${text}\n\n${banner}`)
      const keys = at.keys.map(({ name }) => name).join(', ')
      if (outcome.isJump)
        throw connectFault(translate('terminal.ownClient.jumpRefused', { host, user, keys }))
      if (outcome.isExpired) throw connectFault(translate('terminal.ownClient.expired', { host, user }))
      const offered = keys || translate('terminal.ownClient.noKeys')
      throw connectFault(withBanner(translate('terminal.ownClient.refused', { host, user, keys: offered })))
    }
    case 'refused-for-a-while':
      throw new FailureError({ kind: 'cannot-connect', host, reason: refusedAddress })
    case 'not-reached':
      if (outcome.reason === 'ETIMEDOUT')
        throw new FailureError({ kind: 'timed-out', host, seconds: interactiveLimits.ready })
      throw new FailureError({ kind: 'cannot-connect', host, reason: outcome.reason })
  }
}

async function openShell(
  deps: ShellDeps,
  asks: ClientAnswers,
  ...[size, signal, print]: Parameters<PrepareProgram>
): Promise<PreparedProgram> {
  const stop = onAbort(signal, asks.close)
  const { connection, host } = await connected(deps, asks, signal, print).finally(() => {
    stop()
    asks.close()
  })
  try {
    const channel = await connection.shell(size, signal, deps.command)
    return { channel, close: connection.close }
  } catch (error) {
    connection.close()
    if (signal.aborted) throw new FailureError({ kind: 'cancelled' })
    if (!(error instanceof ChannelError)) throw error
    throw error.kind === 'lost'
      ? new FailureError({ kind: 'cannot-connect', host, reason: error.message })
      : connectFault(error.message)
  }
}

interface InsideDeps extends ShellDeps, LauncherDeps {
  readonly terminals: Pick<Terminals, 'hasPty'>
  readonly knownHosts: KnownHosts
  connection(): Promise<Connection>
  listen(connection: Connection): Promise<Endpoint | null>
  answers(connection: Connection): ClientAnswers
  dropKey(): Promise<void>
}

/**
 * Prepares the program of a terminal inside: the system's ssh, or a shell of the application's own client. Fails as
 * ssh.connect does.
 */
export const prepareInside =
  ({ terminals, knownHosts, command, ...deps }: InsideDeps): PrepareProgram =>
  async (size, signal, print) => {
    const connection = await deps.connection()
    if (!(await runsSystemSsh(terminals.hasPty, deps)))
      return openShell({ ...deps, command }, deps.answers(connection), size, signal, print)
    const { ssh, args, ...program } = await sshProgram(connection, knownHosts, deps, signal)
    const options = [...noticesLostLine, ...args]
    const endpoint = await deps.listen(connection)
    return {
      ...program,
      file: ssh,
      args: command === null ? options : ['-t', ...noRemoteCommand, ...options, command],
      env: { ...program.env, ...endpoint?.env },
      ended: (isRefused) => {
        endpoint?.close()
        if (isRefused && connection.isRemembered) void deps.dropKey().catch(() => undefined)
      },
    }
  }
