import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Client, ClientCallback, ClientChannel } from 'ssh2'
import { channelStream, closeChannel, errorOf, openChannel, widenWindow } from './channel-stream'
import {
  type ChannelExit,
  ChannelError,
  type CommandChannel,
  type CommandOutput,
  type ExecOutcome,
  type ShellChannel,
  type TerminalSize,
} from './transport'

/** Bytes after which a command is ended: no tool says so much, and what is not kept is read for nothing. */
const mostOutput = 4 * 1024 * 1024

/** Of a command: seconds that it may take, and characters of each output that are kept. */
export interface ExecLimits {
  readonly command: number
  readonly output: number
}

/** Variables that the machine is asked to set; it accepts those that it likes and says nothing of it. */
type Environment = Readonly<Record<string, string>>

/** What a stream says, up to `limit` characters; the rest is read and dropped. `exceeded`: there is far too much. */
function collector(limit: number, exceeded: () => void) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let bytes = 0
  return {
    text: () => text,
    push(data: Buffer): void {
      if (text.length < limit) text = (text + decoder.write(data)).slice(0, limit)
      bytes += data.length
      if (bytes > mostOutput) exceeded()
    },
  }
}

/** Settles with the command's end; rejects where the connection or `signal` ends before. */
const finished = (client: Client, channel: ClientChannel, signal: AbortSignal): Promise<ChannelExit> =>
  new Promise((resolve, reject) => {
    const lose = (): void => {
      settle()
      reject(new ChannelError('lost', 'connection lost'))
    }
    const abort = (): void => {
      settle()
      closeChannel(channel)
      reject(errorOf(signal.reason))
    }
    function settle(): void {
      client.off('close', lose)
      signal.removeEventListener('abort', abort)
    }
    client.once('close', lose)
    signal.addEventListener('abort', abort)
    // The close repeats the exit, whose own event may be over before anybody could listen to it.
    channel.on('close', (status?: number | null, name?: string) => {
      settle()
      resolve({ status: status ?? null, signal: name ?? null })
    })
    channel.end()
  })

/** See SshConnection.run (transport.ts). */
export async function run(
  client: Client,
  command: string,
  output: CommandOutput,
  signal: AbortSignal,
  environment: Environment = {},
): Promise<ChannelExit> {
  const env = { ...environment }
  const channel = await openChannel(client, (done) => client.exec(command, { env }, done), signal)
  channel.on('data', output.stdout)
  channel.stderr.on('data', output.stderr)
  return finished(client, channel, signal)
}

/** See SshConnection.exec: what `start` runs, collected up to the limits. */
export async function exec(
  start: (output: CommandOutput, signal: AbortSignal) => Promise<ChannelExit>,
  limits: ExecLimits,
  signal?: AbortSignal,
): Promise<ExecOutcome> {
  const ending = new AbortController()
  const [timedOut, tooMuch] = [new Error('timed out'), new Error('too much output')]
  const abort = (): void => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(timedOut), limits.command * 1_000)
  const exceeded = (): void => ending.abort(tooMuch)
  const [stdout, stderr] = [collector(limits.output, exceeded), collector(limits.output, exceeded)]
  const ended = (status: number | null): ExecOutcome => ({
    ...{ kind: 'finished', stdout: stdout.text(), stderr: stderr.text(), status },
  })
  signal?.addEventListener('abort', abort)
  try {
    if (signal?.aborted) abort()
    const output = { stdout: stdout.push, stderr: stderr.push }
    return ended((await start(output, ending.signal)).status)
  } catch (error) {
    if (error === timedOut) return { kind: 'timed-out' }
    if (error === tooMuch) return ended(null)
    if (error instanceof ChannelError && error.kind === 'refused')
      return { kind: 'finished', isRefused: true, stdout: '', stderr: error.message, status: null }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Settles with the end of a channel, or of the connection. */
const exitOf = (client: Client, channel: ClientChannel): Promise<ChannelExit> =>
  new Promise((resolve) => {
    const lose = (): void => settle()
    function settle(status?: number | null, name?: string): void {
      client.off('close', lose)
      resolve({ status: status ?? null, signal: name ?? null })
    }
    // The close repeats what the exit said, which may have come before anybody could listen to it.
    channel.on('exit', settle)
    channel.on('close', settle)
    client.once('close', lose)
  })

/** See SshConnection.pipe. */
export async function pipe(client: Client, command: string, signal?: AbortSignal): Promise<CommandChannel> {
  const channel = await openChannel(client, (done) => client.exec(command, done), signal)
  return { exit: exitOf(client, channel), stream: channelStream(client, channel, signal) }
}

/** See SshConnection.shell. `lendsAgent`: asks that the agent of the connection can be used there. */
export async function shell(
  client: Client,
  environment: Environment | undefined,
  lendsAgent: boolean,
  { columns, rows }: TerminalSize,
  signal?: AbortSignal,
  command: string | null = null,
): Promise<ShellChannel> {
  const pty = { term: 'xterm-256color', cols: columns, rows }
  const openWith = (agentForward: boolean): Promise<ClientChannel> => {
    const options = { env: { ...environment }, agentForward }
    const open = (done: ClientCallback): unknown =>
      command === null ? client.shell(pty, options, done) : client.exec(command, { ...options, pty }, done)
    return openChannel(client, open, signal)
  }
  const channel = await openWith(lendsAgent).catch((error: unknown) => {
    // As with ssh, a machine that wants no agent opens the terminal all the same.
    if (lendsAgent && error instanceof ChannelError && error.kind === 'refused') return openWith(false)
    throw error
  })
  return {
    exit: exitOf(client, channel),
    stream: channelStream(client, channel, signal),
    resize: (size) => channel.setWindow(size.rows, size.columns, 0, 0),
  }
}

/** See SshConnection.forward. */
export async function forward(
  client: Client,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Duplex> {
  // RFC 4254 §7.2 asks for the originator, which is this process.
  const channel = await openChannel(
    client,
    (done) => client.forwardOut('127.0.0.1', 0, host, port, done),
    signal,
  )
  return channelStream(client, channel, signal)
}

/** See SshConnection.sftp. */
export async function sftp(client: Client, signal?: AbortSignal): Promise<Duplex> {
  const channel = await openChannel(client, (done) => client.subsys('sftp', done), signal)
  widenWindow(client, channel)
  return channelStream(client, channel, signal)
}
