import type { Duplex } from 'node:stream'
import type { Client, ClientCallback, ClientChannel } from 'ssh2'
import { onAbort } from '../../core/on-abort'
import { channelStream, closeChannel, errorOf, openChannel, widenWindow } from './channel-stream'
import { whenFree } from './commands'
import { pipeFrame } from './framed-output'
import {
  type ChannelEvents,
  type ChannelExit,
  ChannelError,
  type CommandChannel,
  type ShellChannel,
  type TerminalSize,
} from './transport'

/** Variables for the machine, which ignores names that it doesn't accept. */
type Environment = Readonly<Record<string, string>>

/** ssh2 puts another SIG in front of a server's own signal name (`SIG@openssh.com`). */
const exitFrom = (status?: number | null, name?: string): ChannelExit => ({
  status: status ?? null,
  signal: name?.includes('@') ? '' : (name ?? null),
})

/** Resolves to the command's exit. Rejects if the connection ends, or `signal` aborts, before. */
const finished = (client: Client, channel: ClientChannel, signal: AbortSignal): Promise<ChannelExit> =>
  new Promise((resolve, reject) => {
    const stop = onAbort(signal, abort)
    client.once('close', lose)
    function settle(): void {
      client.off('close', lose)
      stop()
    }
    function lose(): void {
      settle()
      reject(new ChannelError('lost', 'connection lost'))
    }
    function abort(): void {
      settle()
      closeChannel(channel)
      reject(errorOf(signal.reason))
    }
    // The close repeats the exit, whose own event may come before there is a listener.
    channel.on('close', (status?: number | null, name?: string) => {
      settle()
      resolve(exitFrom(status, name))
    })
    channel.end()
  })

/** Runs a text in the login shell, without input. Closes the channel when `signal` aborts. */
export async function run(
  client: Client,
  command: string,
  output: ChannelEvents,
  signal: AbortSignal,
  environment: Environment = {},
): Promise<ChannelExit> {
  const env = { ...environment }
  const open = (done: ClientCallback): unknown =>
    client.exec(command, { env }, (error, opened) => {
      // The exit may arrive with the answer to the request.
      if (!error)
        opened.on('exit', (status: number | null, name?: string) => output.exited?.(exitFrom(status, name)))
      done(error, opened)
    })
  const channel = await openChannel(client, open, signal)
  channel.on('data', output.stdout)
  channel.stderr.on('data', output.stderr)
  return finished(client, channel, signal)
}

/** Resolves when the channel or the connection ends. */
const exitOf = (client: Client, channel: ClientChannel): Promise<ChannelExit> =>
  new Promise((resolve) => {
    const lose = (): void => settle()
    function settle(status?: number | null, name?: string): void {
      client.off('close', lose)
      resolve(exitFrom(status, name))
    }
    // The close repeats the exit, whose own event may come before there is a listener.
    channel.on('exit', settle)
    channel.on('close', settle)
    client.once('close', lose)
  })

/** See SshConnection.pipe. */
export async function pipe(client: Client, command: string, signal?: AbortSignal): Promise<CommandChannel> {
  const frame = pipeFrame(command)
  const open = () => openChannel(client, (done) => client.exec(frame.text, done), signal)
  const channel = await whenFree(open, signal)
  return { exit: exitOf(client, channel), stream: channelStream(client, channel, signal, frame) }
}

/** See SshConnection.shell. `lendsAgent`: lets the machine use the agent of the connection. */
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
    // As with ssh, a terminal opens even if the machine refuses the agent.
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
