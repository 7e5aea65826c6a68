import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Client, ClientChannel } from 'ssh2'
import { channelStream, closeChannel, errorOf, openChannel } from './channel-stream'
import {
  ChannelError,
  type ExecOutcome,
  type ShellChannel,
  type ShellExit,
  type TerminalSize,
} from './transport'

/** Bytes after which a command is ended: no tool says so much, and what is not kept is read for nothing. */
const mostOutput = 4 * 1024 * 1024

/** Of a command: seconds that it may take, and characters of each output that are kept. */
export interface ExecLimits {
  readonly command: number
  readonly output: number
}

/** What a stream says, up to `limit` characters; the rest is read and dropped. `exceeded`: there is far too much. */
function collected(stream: NodeJS.ReadableStream, limit: number, exceeded: () => void): () => string {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let bytes = 0
  stream.on('data', (data: Buffer) => {
    if (text.length < limit) text = (text + decoder.write(data)).slice(0, limit)
    bytes += data.length
    if (bytes > mostOutput) exceeded()
  })
  return () => text
}

/** Settles with the command's end; rejects where the connection or `signal` ends before. */
const finished = (
  client: Client,
  channel: ClientChannel,
  limit: number,
  signal: AbortSignal,
): Promise<ExecOutcome> =>
  new Promise((resolve, reject) => {
    const give = (status: number | null): void => {
      settle()
      resolve({ kind: 'finished', stdout: stdout(), stderr: stderr(), status })
    }
    const exceeded = (): void => {
      give(null)
      closeChannel(channel)
    }
    const stdout = collected(channel, limit, exceeded)
    const stderr = collected(channel.stderr, limit, exceeded)
    const settle = (): void => {
      client.off('close', lose)
      signal.removeEventListener('abort', abort)
    }
    const lose = (): void => {
      settle()
      reject(new ChannelError('lost', 'connection lost'))
    }
    const abort = (): void => {
      settle()
      closeChannel(channel)
      reject(errorOf(signal.reason))
    }
    client.once('close', lose)
    signal.addEventListener('abort', abort)
    // The close repeats the status, whose own event may be over before anybody could listen to it.
    channel.on('close', (status?: number | null) => give(status ?? null))
    channel.end()
  })

/** See SshConnection.exec (transport.ts). */
export async function exec(
  client: Client,
  command: string,
  limits: ExecLimits,
  signal?: AbortSignal,
): Promise<ExecOutcome> {
  const ending = new AbortController()
  const timedOut = new Error('timed out')
  const abort = (): void => ending.abort(signal?.reason)
  const timer = setTimeout(() => ending.abort(timedOut), limits.command * 1_000)
  signal?.addEventListener('abort', abort)
  try {
    if (signal?.aborted) abort()
    const channel = await openChannel(client, (done) => client.exec(command, done), ending.signal)
    return await finished(client, channel, limits.output, ending.signal)
  } catch (error) {
    if (error === timedOut) return { kind: 'timed-out' }
    if (error instanceof ChannelError && error.kind === 'refused')
      return { kind: 'finished', stdout: '', stderr: error.message, status: null }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** See SshConnection.shell. */
export async function shell(
  client: Client,
  { columns, rows }: TerminalSize,
  signal?: AbortSignal,
): Promise<ShellChannel> {
  const terminal = { term: 'xterm-256color', cols: columns, rows }
  const channel = await openChannel(client, (done) => client.shell(terminal, done), signal)
  const exit = new Promise<ShellExit>((resolve) => {
    const settle = (status?: number | null, name?: string): void =>
      resolve({ status: status ?? null, signal: name ?? null })
    // The close repeats what the exit said, which may have come before anybody could listen to it.
    channel.on('exit', settle)
    channel.on('close', settle)
    client.once('close', () => resolve({ status: null, signal: null }))
  })
  return {
    stream: channelStream(client, channel, signal),
    resize: (size) => channel.setWindow(size.rows, size.columns, 0, 0),
    exit,
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
  return channelStream(client, channel, signal)
}
