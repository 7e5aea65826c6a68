import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmitter } from '#shared/emitter'
import { onAbort } from '../../core/on-abort'
import { makeProcessFolder } from '../../core/process-folder'
import { bannerActionSeconds, collectBanner } from './banner'
import { commandsOver, type CommandTransport } from './commands'
import type { HostKey } from './host-key'
import { keysIn } from './known-hosts'
import { sshConfigQuoted } from './plain-values'
import { reasonIn, refusalIn, type SystemRefusal } from './system-refusal'
import { commandOf, pipeOf, streamOf } from './system-channels'
import {
  questionTimeoutSeconds,
  connectTimeout,
  ended,
  endLate,
  keepsConnection,
  late,
  longestText,
  option,
  says,
  saysMore,
  spokenLines,
  start,
  startKeeper,
  type SystemSsh,
} from './system-process'
import type { ConnectionLimits } from './target'
import { ChannelError, mostUnanswered, type SshConnection } from './transport'

type SystemOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** It is not one of those recorded, or that of a host on the way is not: `reason`. */
  | { readonly kind: 'host-key-refused'; readonly key: HostKey; readonly reason: string }
  | SystemRefusal

/** The host's key, asked for by a sign-in that offers nothing, so that a proxy on the way is passed as by any other. */
async function askHostKey(
  ssh: SystemSsh,
  folder: string,
  signal: AbortSignal,
  seconds: number,
): Promise<{ readonly key: HostKey | undefined; readonly said: string }> {
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
      ...says,
    ],
    ['true'],
    asking?.env,
  )
  const said = await ended(child, signal, seconds * 2, asking)
  asking?.close()
  const text = await readFile(file, 'utf8').catch(() => '')
  await rm(file, { force: true })
  return { key: keysIn(text, ssh.alias)[0], said }
}

/**
 * A connection that the system's ssh keeps: one of its own that ends with the application, over which it carries the
 * channels where it can; otherwise each is a connection beside it. Host keys are compared with the recorded ones alone.
 * Never rejects.
 */
export async function openSystemConnection(
  ssh: SystemSsh,
  known: readonly HostKey[],
  signal: AbortSignal,
  limits: ConnectionLimits,
  reportBanner?: (banner: string) => void,
): Promise<SystemOutcome> {
  let made: string | undefined
  const remove = (): void =>
    void (made !== undefined && rm(made, { recursive: true, force: true }).catch(() => undefined))
  try {
    const folder = await makeProcessFolder('ssh')
    made = folder
    if (known.length === 0) {
      const { key, said } = await askHostKey(ssh, folder, signal, limits.ready)
      remove()
      return key ? { kind: 'host-key-unknown', key } : refusalIn(said)
    }
    const outcome = await keep(ssh, folder, signal, limits, remove, reportBanner)
    if (typeof outcome !== 'string') return outcome
    const refusal = refusalIn(outcome)
    // Said last, it is of the machine's, whatever a host on the way has said before.
    const isHostKey =
      /Host key verification failed\.\s*$/.test(outcome) ||
      (refusal.kind === 'not-reached' && /Host key verification failed/.test(outcome))
    const { key } = isHostKey ? await askHostKey(ssh, folder, signal, limits.ready) : {}
    remove()
    return key ? { kind: 'host-key-refused', key, reason: reasonIn(outcome) } : refusal
  } catch (error) {
    remove()
    return { kind: 'not-reached', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** The server opened no session over the connection that is kept. */
const sessionRefused = /session request failed: (.*)/

/** The error of an ssh that ended by itself: with its own connection, or because it got no session. */
function lossOf({ shares }: SystemSsh, hasBegun: boolean, printed: string): ChannelError | undefined {
  const [, refusal] = sessionRefused.exec(printed) ?? []
  if (!hasBegun && refusal !== undefined) return new ChannelError('refused', refusal.trim())
  if (shares) return undefined
  if (hasBegun) return new ChannelError('lost', 'connection lost')
  return new ChannelError('refused', printed.split('\n').at(-1) ?? '')
}

/** The connection that is kept, or what ssh said as it ended. */
async function keep(
  ssh: SystemSsh,
  folder: string,
  signal: AbortSignal,
  limits: ConnectionLimits,
  remove: () => void,
  reportBanner?: (banner: string) => void,
): Promise<Extract<SystemOutcome, { kind: 'connected' }> | string> {
  const controlSocket = join(folder, 'c')
  const socket = option('ControlPath', ssh.shares ? sshConfigQuoted(controlSocket) : 'none')
  const strict = option('StrictHostKeyChecking', 'yes')
  const alive = [
    ...option('ServerAliveInterval', String(limits.keepAlive)),
    ...option('ServerAliveCountMax', String(mostUnanswered)),
  ]
  const asking = await ssh.listen()
  const options = [
    ...socket,
    ...strict,
    ...option('ControlMaster', ssh.shares ? 'yes' : 'no'),
    ...option('ControlPersist', 'no'),
    ...option('BatchMode', asking ? 'no' : 'yes'),
    ...connectTimeout(ssh, asking, limits.ready),
    ...alive,
    ...saysMore,
  ]
  // Without a shared connection, as on Windows, there is no /bin/sh that could end it: its session ends with its input.
  const child = ssh.shares
    ? startKeeper(ssh, options, asking?.env)
    : start(ssh, options, ['exec cat'], asking?.env)
  const lost = createEmitter<string>()
  const gone = new AbortController()
  let reason: string | undefined
  const end = (): void => void child.kill()
  let said = ''
  const seconds = asking && ssh.isDirect ? questionTimeoutSeconds : limits.ready * 2
  const limit = endLate(child, seconds, asking, () => (said += late))
  const stop = onAbort(signal, end)
  if (signal.aborted) end()
  /** Characters, of which `said` has the last. */
  let saidInAll = 0
  child.stdin.on('error', () => undefined)
  const take = (text: string): void => {
    saidInAll += text.length
    said = (said + text).slice(-longestText)
  }
  const banner = collectBanner(reportBanner)
  let hasBanner = false
  const opened = await new Promise<{ readonly isForOneSession: boolean } | null>((resolve) => {
    const lines = spokenLines({
      message: take,
      banner(text) {
        if (!hasBanner) limit.extend(bannerActionSeconds)
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
      said += error.message
      resolve(null)
    })
  })
  limit.cancel()
  stop()
  asking?.close()
  if (!opened) return said
  if (opened.isForOneSession && ssh.shares) {
    // Every session signs in again.
    child.kill()
    return keep({ ...ssh, shares: false }, folder, signal, limits, remove, reportBanner)
  }
  const lose = (): void => {
    reason = reasonIn(said)
    gone.abort(new ChannelError('lost', 'connection lost'))
    remove()
    lost.emit(reason)
    lost.clear()
  }
  child.stdout.resume()
  child.once('exit', lose)
  if (child.exitCode !== null || child.signalCode !== null) lose()

  // Over the kept connection, or not at all; or over a line of its own, which can be lost by itself.
  const only = ssh.shares
    ? option('ProxyCommand', 'false')
    : [...option('BatchMode', 'yes'), ...option('ConnectTimeout', String(limits.ready)), ...alive]
  const channel = (options: readonly string[], command: readonly string[]) =>
    start(ssh, [...socket, ...strict, ...option('ControlMaster', 'no'), ...only, ...options], command)
  const whileOpen = <Value>(open: () => Promise<Value>): Promise<Value> =>
    reason === undefined ? open() : Promise.reject(new ChannelError('lost', 'connection lost'))
  const quiet = option('LogLevel', 'ERROR')
  const plain = (command: string) => channel(quiet, [command])
  const transport: CommandTransport = {
    start: (text, output, abort) => whileOpen(() => commandOf(() => plain(text), output, gone.signal, abort)),
    reportsEnd: true,
    lossOf: (hasBegun, printed) => lossOf(ssh, hasBegun, printed),
  }
  const open = (options: readonly string[], command: readonly string[], abort?: AbortSignal) =>
    whileOpen(() => {
      const before = saidInAll
      // What it said of an earlier channel is no answer to this one.
      const since = (): string => said.slice(Math.max(0, said.length - (saidInAll - before)))
      const keeper = {
        said: since,
        keeps: () => (ssh.shares ? keepsConnection(controlSocket) : Promise.resolve(true)),
      }
      return streamOf(() => channel(options, command), gone.signal, keeper, abort)
    })
  return {
    kind: 'connected',
    connection: {
      ...commandsOver(transport, limits),
      pipe: (command, abort) => whileOpen(() => pipeOf(plain, command, gone.signal, abort)),
      shell: () => Promise.reject(new ChannelError('refused', 'a terminal runs its own ssh')),
      forward: (host, port, abort) => {
        const place = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`
        return open(['-vv', '-W', place], [], abort)
      },
      sftp: (abort) => open(['-vv', '-s'], ['sftp'], abort),
      ...(!ssh.shares && { signsInAgain: true }),
      onLost: (listener) => {
        if (reason !== undefined) listener(reason)
        return lost.on(listener)
      },
      close: () => {
        lost.clear()
        child.kill()
      },
    },
  }
}
