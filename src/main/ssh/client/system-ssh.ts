import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onAbort } from '../../core/on-abort'
import { makeProcessFolder } from '../../core/process-folder'
import { collectBanner } from './banner'
import { commandsOver, type CommandTransport } from './commands'
import { connectionLoss } from './connection-loss'
import type { HostKey } from './host-key'
import { hostAndPort } from './host-key-check'
import { keysIn } from './known-hosts'
import { sshConfigQuoted } from './plain-values'
import { userActionSeconds } from './sign-in-limit'
import { commandOf, pipeOf, streamOf } from './system-channels'
import {
  connectTimeout,
  endLate,
  keepsConnection,
  maxOutputLength,
  option,
  outputLines,
  outputOf,
  printsMessages,
  printsProgress,
  start,
  startKeeper,
  type SystemSsh,
  timeoutMessage,
} from './system-process'
import { reasonIn, refusalIn, type SystemRefusal } from './system-refusal'
import type { ConnectionLimits } from './target'
import { ChannelError, maxUnanswered, type SshConnection } from './transport'

type SystemOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** The machine's key is not a recorded one, or the key of a jump host was refused: `reason`. */
  | { readonly kind: 'host-key-refused'; readonly key: HostKey; readonly reason: string }
  | SystemRefusal

/** Asks for the host key by a sign-in that offers nothing, which passes proxies like any other sign-in. */
async function askHostKey(
  ssh: SystemSsh,
  folder: string,
  signal: AbortSignal,
  seconds: number,
): Promise<{ readonly key: HostKey | undefined; readonly output: string }> {
  const file = join(folder, 'k')
  const asking = ssh.isDirect ? null : await ssh.listen()
  const child = start(
    ssh,
    [
      ...option('UserKnownHostsFile', sshConfigQuoted(file)),
      ...option('StrictHostKeyChecking', 'accept-new'),
      ...option('PreferredAuthentications', 'none'),
      ...option('BatchMode', 'yes'),
      ...connectTimeout(ssh, asking, seconds),
      ...printsMessages,
    ],
    ['true'],
    asking?.env,
  )
  const output = await outputOf(child, signal, seconds * 2, asking)
  asking?.close()
  const text = await readFile(file, 'utf8').catch(() => '')
  await rm(file, { force: true })
  return { key: keysIn(text, ssh.alias)[0], output }
}

/**
 * Opens a connection by the system's ssh, which ends with the application. It carries the channels if ssh can share
 * connections; otherwise each channel signs in again. Accepts only recorded host keys. Never rejects.
 */
export async function openSystemConnection(
  ssh: SystemSsh,
  known: readonly HostKey[],
  signal: AbortSignal,
  limits: ConnectionLimits,
  reportBanner?: (banner: string) => void,
): Promise<SystemOutcome> {
  let created: string | undefined
  const remove = (): void =>
    void (created !== undefined && rm(created, { recursive: true, force: true }).catch(() => undefined))
  try {
    const folder = await makeProcessFolder('ssh')
    created = folder
    if (known.length === 0) {
      const { key, output } = await askHostKey(ssh, folder, signal, limits.ready)
      remove()
      return key ? { kind: 'host-key-unknown', key } : refusalIn(output)
    }
    const result = await keepOpen({ ssh, folder, limits, remove }, signal, reportBanner)
    if (typeof result !== 'string') return { kind: 'connected', connection: result }
    const refusal = refusalIn(result)
    // The last message is about the machine; earlier ones may be about a jump host.
    const isHostKey =
      /Host key verification failed\.\s*$/.test(result) ||
      (refusal.kind === 'not-reached' && /Host key verification failed/.test(result))
    const { key } = isHostKey ? await askHostKey(ssh, folder, signal, limits.ready) : {}
    remove()
    return key ? { kind: 'host-key-refused', key, reason: reasonIn(result) } : refusal
  } catch (error) {
    remove()
    return { kind: 'not-reached', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Message of ssh about a session that the server did not open over the shared connection. */
const sessionRefused = /session request failed: (.*)/

/**
 * Returns the error of an ssh that ended without an exit code: it lost its connection, or got no session. Without a message:
 * the output of its channel was lost, or a forced command printed none.
 */
function lossOf({ shares }: SystemSsh, hasBegun: boolean, printed: string): ChannelError | undefined {
  const [, refusal] = sessionRefused.exec(printed) ?? []
  if (!hasBegun && refusal !== undefined) return new ChannelError('refused', refusal.trim())
  if (shares) return hasBegun || printed !== '' ? undefined : new ChannelError('lost', '')
  if (hasBegun) return new ChannelError('lost', 'connection lost')
  return new ChannelError('refused', printed.split('\n').at(-1) ?? '')
}

/** The end of ssh's output. */
function outputTail() {
  let tail = ''
  let length = 0
  return {
    text: () => tail,
    push(text: string): void {
      length += text.length
      tail = (tail + text).slice(-maxOutputLength)
    },
    /** Returns a function that returns the output from now on. */
    fromNow(): () => string {
      const before = length
      return () => tail.slice(Math.max(0, tail.length - (length - before)))
    },
  }
}

interface Keeping {
  readonly ssh: SystemSsh
  /** Contains the control socket. */
  readonly folder: string
  readonly limits: ConnectionLimits
  /** Removes the folder. */
  remove(): void
}

/** Options of every ssh that belongs to the connection. */
function commonOptions({ ssh, folder, limits }: Keeping) {
  const controlSocket = join(folder, 'c')
  return {
    controlSocket,
    common: [
      ...option('ControlPath', ssh.shares ? sshConfigQuoted(controlSocket) : 'none'),
      ...option('StrictHostKeyChecking', 'yes'),
    ],
    alive: [
      ...option('ServerAliveInterval', String(limits.keepAlive)),
      ...option('ServerAliveCountMax', String(maxUnanswered)),
    ],
  }
}

/** Starts the ssh that keeps the connection. `server` is null if it did not sign in. */
async function signIn(
  keeping: Keeping,
  signal: AbortSignal,
  reportBanner: ((banner: string) => void) | undefined,
) {
  const { ssh, limits } = keeping
  const { common, alive } = commonOptions(keeping)
  const asking = await ssh.listen()
  const options = [
    ...common,
    ...option('ControlMaster', ssh.shares ? 'yes' : 'no'),
    ...option('ControlPersist', 'no'),
    ...option('BatchMode', asking ? 'no' : 'yes'),
    ...connectTimeout(ssh, asking, limits.ready),
    ...alive,
    ...printsProgress,
  ]
  // Windows has no /bin/sh for a keeper: there the session of a command ends with its input.
  const child = ssh.shares
    ? startKeeper(ssh, options, asking?.env)
    : start(ssh, options, ['exec cat'], asking?.env)
  const output = outputTail()
  const seconds = asking && ssh.isDirect ? userActionSeconds : limits.ready * 2
  const limit = endLate(child, seconds, asking, () => output.push(timeoutMessage))
  const end = (): void => void child.kill()
  const stop = onAbort(signal, end)
  if (signal.aborted) end()
  child.stdin.on('error', () => undefined)
  const banner = collectBanner(reportBanner)
  let hasBanner = false
  const server = await new Promise<{ readonly isForOneSession: boolean } | null>((resolve) => {
    const lines = outputLines({
      message: output.push,
      banner(text) {
        if (!hasBanner) limit.restart(userActionSeconds)
        hasBanner = true
        banner.push(text)
      },
      opened: resolve,
    })
    child.stderr.on('data', (data: Buffer) => lines.push(data.toString()))
    child.once('close', () => {
      lines.end()
      resolve(null)
    })
    child.once('error', (error) => {
      output.push(error.message)
      resolve(null)
    })
  })
  limit.cancel()
  stop()
  asking?.close()
  return { child, output, server }
}

/** Returns a connection that ssh keeps open, or the output of an ssh that did not sign in. */
async function keepOpen(
  keeping: Keeping,
  signal: AbortSignal,
  reportBanner: ((banner: string) => void) | undefined,
): Promise<SshConnection | string> {
  const { ssh } = keeping
  const { child, output, server } = await signIn(keeping, signal, reportBanner)
  if (!server) return output.text()
  if (server.isForOneSession && ssh.shares) {
    // Every session signs in again.
    child.kill()
    return keepOpen({ ...keeping, ssh: { ...ssh, shares: false } }, signal, reportBanner)
  }
  return connectionOver(keeping, child, output)
}

function connectionOver(
  keeping: Keeping,
  child: ReturnType<typeof startKeeper>,
  output: ReturnType<typeof outputTail>,
): SshConnection {
  const { ssh, limits, remove } = keeping
  const { controlSocket, common, alive } = commonOptions(keeping)
  const loss = connectionLoss()
  const { whileOpen } = loss
  const gone = new AbortController()
  const lose = (): void => {
    gone.abort(new ChannelError('lost', 'connection lost'))
    remove()
    loss.lose(reasonIn(output.text()))
  }
  child.stdout.resume()
  child.once('exit', lose)
  if (child.exitCode !== null || child.signalCode !== null) lose()

  // A channel uses the shared connection, or a separate one, which can be lost separately.
  const route = ssh.shares
    ? option('ProxyCommand', 'false')
    : [...option('BatchMode', 'yes'), ...option('ConnectTimeout', String(limits.ready)), ...alive]
  const channel = (options: readonly string[], command: readonly string[]) =>
    start(ssh, [...common, ...option('ControlMaster', 'no'), ...route, ...options], command)
  const runs = (command: string) => channel(option('LogLevel', 'ERROR'), [command])
  const transport: CommandTransport = {
    start: (text, listener, abort) =>
      whileOpen(() => commandOf(() => runs(text), listener, gone.signal, abort)),
    reportsEnd: true,
    lossOf: (hasBegun, printed) => lossOf(ssh, hasBegun, printed),
  }
  const open = (options: readonly string[], command: readonly string[], abort?: AbortSignal) =>
    whileOpen(() => {
      const keeper = {
        output: output.fromNow(),
        isConnected: () => (ssh.shares ? keepsConnection(controlSocket) : Promise.resolve(true)),
      }
      return streamOf(() => channel(options, command), gone.signal, keeper, abort)
    })
  return {
    ...commandsOver(transport, limits),
    pipe: (command, abort) => whileOpen(() => pipeOf(runs, command, gone.signal, abort)),
    shell: () => Promise.reject(new ChannelError('refused', 'a terminal runs its own ssh')),
    forward: (host, port, abort) => open(['-vv', '-W', hostAndPort(host, port)], [], abort),
    sftp: (abort) => open(['-vv', '-s'], ['sftp'], abort),
    ...(!ssh.shares && { signsInAgain: true }),
    onLost: loss.onLost,
    close: () => {
      loss.clear()
      child.kill()
    },
  }
}
