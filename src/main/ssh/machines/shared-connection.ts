import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock'
import { whenFree } from '../client/commands'
import { ChannelError, type CommandChannel, type ExecOutcome, type SshConnection } from '../client/transport'

export interface SharedConnectionDeps {
  readonly clock: Pick<Clock, 'after'>
  /** Opens one more connection to the machine; undefined if that fails. */
  openSecond(signal: AbortSignal): Promise<SshConnection | undefined>
}

/** Time for which the second connection stays open without a session. */
const idleSeconds = 30

/** Open channels that end if the server opens no more sessions. */
function optionalChannels() {
  const open = new Set<Duplex>()
  let hasRoom = true
  return {
    hasRoom: (): boolean => hasRoom,
    add(stream: Duplex): void {
      open.add(stream)
      stream.once('close', () => open.delete(stream))
    },
    /** Ends the channels. Returns whether that frees a session. */
    end(): boolean {
      const isFreed = open.size > 0
      if (isFreed) hasRoom = false
      for (const stream of Array.from(open)) stream.destroy()
      return isFreed
    },
  }
}

/**
 * Wraps the shared connection of a machine. A server bounds the sessions of a connection (sshd_config(5), MaxSessions). If it
 * refuses a session while other sessions are open, the session opens on a second connection.
 */
export function sharedConnection(
  primary: SshConnection,
  { clock, openSecond }: SharedConnectionDeps,
): SshConnection {
  /** Sessions that are open on the first connection. */
  let sessions = 0
  let second: Promise<SshConnection | undefined> | undefined
  let secondSessions = 0
  let cancelIdle = (): void => undefined
  const closing = new AbortController()
  const optional = optionalChannels()

  function closeSecond(): void {
    cancelIdle()
    const ended = second
    second = undefined
    void ended?.then((connection) => connection?.close())
  }

  async function openedSecond(): Promise<SshConnection | undefined> {
    second ??= openSecond(closing.signal).catch(() => undefined)
    const mine = second
    const connection = await mine
    if (connection === undefined && second === mine) second = undefined
    connection?.onLost(() => {
      if (second === mine) second = undefined
    })
    return closing.signal.aborted ? undefined : connection
  }

  /** Counts a session on the first connection until the returned function is called. */
  function enterFirst(): () => void {
    sessions += 1
    let isOver = false
    return () => {
      if (!isOver) sessions -= 1
      isOver = true
    }
  }

  /** The second connection, held until `ended` is called; undefined if there is none. */
  async function enterSecond() {
    secondSessions += 1
    cancelIdle()
    let isOver = false
    const ended = (): void => {
      if (isOver) return
      isOver = true
      secondSessions -= 1
      if (secondSessions === 0) cancelIdle = clock.after(idleSeconds, closeSecond)
    }
    const connection = await openedSecond()
    if (connection) return { connection, ended }
    ended()
    return undefined
  }

  /** Opens a session; `untilEnd` arranges that `ended` is called when the session ends. */
  async function holding<Value>(
    opening: Promise<Value>,
    ended: () => void,
    untilEnd: (value: Value, ended: () => void) => void,
  ): Promise<Value> {
    try {
      const value = await opening
      untilEnd(value, ended)
      return value
    } catch (error) {
      ended()
      throw error
    }
  }

  const isLimit = (error: unknown): boolean =>
    error instanceof ChannelError && error.kind === 'refused' && !error.isProhibited && sessions > 0

  async function session<Value>(
    open: (connection: SshConnection) => Promise<Value>,
    untilEnd: (value: Value, ended: () => void) => void,
  ): Promise<Value> {
    try {
      return await holding(open(primary), enterFirst(), untilEnd)
    } catch (error) {
      if (isLimit(error) && optional.end()) return whenFree(() => session(open, untilEnd))
      const fallback = isLimit(error) ? await enterSecond() : undefined
      if (!fallback) throw error
      return holding(open(fallback.connection), fallback.ended, untilEnd)
    }
  }

  const atOnce = (_value: unknown, ended: () => void): void => ended()
  const untilClosed = (stream: Duplex, ended: () => void): void => void stream.once('close', ended)
  const untilPipeClosed = ({ stream }: CommandChannel, ended: () => void): void => untilClosed(stream, ended)
  async function optionalPipe(command: string, signal: AbortSignal | undefined): Promise<CommandChannel> {
    if (!optional.hasRoom()) throw new ChannelError('refused', 'sessions are scarce')
    const channel = await holding(primary.pipe(command, signal), enterFirst(), untilPipeClosed)
    optional.add(channel.stream)
    return channel
  }

  async function exec(...given: Parameters<SshConnection['exec']>): Promise<ExecOutcome> {
    const outcome = await holding(primary.exec(...given), enterFirst(), atOnce)
    const isRefused = outcome.kind === 'finished' && outcome.isRefused === true && sessions > 0
    if (isRefused && optional.end()) return exec(...given)
    const fallback = isRefused ? await enterSecond() : undefined
    return fallback ? holding(fallback.connection.exec(...given), fallback.ended, atOnce) : outcome
  }

  return {
    ...primary,
    // A session of the second connection is not in one order with the first.
    get answersInOrder() {
      return primary.answersInOrder === true && second === undefined
    },
    exec,
    run: (...given) => session((over) => over.run(...given), atOnce),
    pipe: (command, signal, isOptional) =>
      isOptional
        ? optionalPipe(command, signal)
        : session((over) => over.pipe(command, signal), untilPipeClosed),
    sftp: (signal, isOptional) =>
      isOptional
        ? holding(primary.sftp(signal), enterFirst(), untilClosed)
        : session((over) => over.sftp(signal), untilClosed),
    close() {
      closing.abort()
      closeSecond()
      primary.close()
    },
  }
}
