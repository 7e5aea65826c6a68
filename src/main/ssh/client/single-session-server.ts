import type { Duplex } from 'node:stream'
import { errorOf } from './channel-stream'
import type { ConnectionOutcome } from './target'
import { ChannelError, type SshConnection } from './transport'

/**
 * Wraps a connection to a server that serves one session per connection. `first` stays without a session and shows that the
 * machine is reachable. `open` opens a separate connection for each session.
 */
export function sessionEach(
  first: SshConnection,
  open: (signal: AbortSignal) => Promise<ConnectionOutcome>,
): SshConnection {
  const closing = new AbortController()
  const sessionConnections = new Set<SshConnection>()

  async function connect(signal?: AbortSignal): Promise<SshConnection> {
    const outcome = await open(signal ? AbortSignal.any([signal, closing.signal]) : closing.signal)
    const isUnwanted = signal?.aborted === true || closing.signal.aborted
    if (outcome.kind === 'connected' && !isUnwanted) {
      sessionConnections.add(outcome.connection)
      return outcome.connection
    }
    if (outcome.kind === 'connected') outcome.connection.close()
    if (signal?.aborted) throw errorOf(signal.reason)
    throw new ChannelError('lost', outcome.kind === 'not-reached' ? outcome.reason : 'connection lost')
  }

  /** Runs `use` on a separate connection. `ended` in its result resolves when the session has ended. */
  async function session<Value>(
    signal: AbortSignal | undefined,
    use: (connection: SshConnection) => Promise<{ readonly value: Value; readonly ended: Promise<unknown> }>,
  ): Promise<Value> {
    const connection = await connect(signal)
    const close = (): void => {
      sessionConnections.delete(connection)
      connection.close()
    }
    try {
      const { value, ended } = await use(connection)
      void ended.then(close, close)
      return value
    } catch (error) {
      close()
      throw error
    }
  }

  const over = Promise.resolve()
  const closed = (stream: Duplex): Promise<unknown> =>
    new Promise((resolve) => (stream.closed ? resolve(null) : stream.once('close', resolve)))

  return {
    ...first,
    signsInAgain: true,
    answersInOrder: false,
    hasCheapChannels: false,
    exec: (command, signal) =>
      session(signal, async (own) => ({ value: await own.exec(command, signal), ended: over })),
    run: (command, output, signal, shell) =>
      session(signal, async (own) => ({ value: await own.run(command, output, signal, shell), ended: over })),
    pipe: (command, signal) =>
      session(signal, async (own) => {
        const channel = await own.pipe(command, signal)
        return { value: channel, ended: Promise.all([channel.exit, closed(channel.stream)]) }
      }),
    shell: (size, signal, command) =>
      session(signal, async (own) => {
        const channel = await own.shell(size, signal, command)
        return { value: channel, ended: Promise.all([channel.exit, closed(channel.stream)]) }
      }),
    sftp: (signal) =>
      session(signal, async (own) => {
        const stream = await own.sftp(signal)
        return { value: stream, ended: closed(stream) }
      }),
    close() {
      closing.abort()
      for (const connection of sessionConnections) connection.close()
      sessionConnections.clear()
      first.close()
    },
  }
}
