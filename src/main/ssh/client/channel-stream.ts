import { Duplex } from 'node:stream'
import type { Client, ClientCallback, ClientChannel } from 'ssh2'
import { destroyOnAbort, onAbort } from '../../core/on-abort'
import { lateOutputTimeoutMs, type PipeFrame } from './framed-output'
import { ChannelError } from './transport'

/** Bytes that are read ahead, in addition to ssh2's own window of 2 MiB. */
const readAheadBytes = 64 * 1024

/** Reason code of SSH_MSG_CHANNEL_OPEN_FAILURE (RFC 4254 §5.1). */
const administrativelyProhibited = 1

const lostConnection = (): ChannelError => new ChannelError('lost', 'connection lost')
export const errorOf = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))

/**
 * Closes a channel. ssh2 would grant window for it until the machine's close arrives. OpenSSH may reuse the number for
 * another channel by then, which would send more than ssh2 accepts, and ssh2 would drop the excess.
 */
export function closeChannel(channel: ClientChannel): void {
  channel.close()
  const outgoing: unknown = Reflect.get(channel, 'outgoing')
  if (typeof outgoing === 'object' && outgoing !== null) Reflect.set(outgoing, 'state', 'closed')
}

/** Window of a wide channel. */
const wideWindowBytes = 8 * 1024 * 1024

/**
 * Widens a channel's window fourfold: with a round trip of 200 ms, ssh2's window of 2 MiB carries at most ten megabytes a
 * second.
 */
export function widenWindow(client: Client, channel: ClientChannel): void {
  const protocol: unknown = Reflect.get(client, '_protocol')
  const incoming: unknown = Reflect.get(channel, 'incoming')
  const outgoing: unknown = Reflect.get(channel, 'outgoing')
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isObject(protocol) || !isObject(incoming) || !isObject(outgoing)) return
  const grant: unknown = Reflect.get(protocol, 'channelWindowAdjust')
  const top = (): void => {
    const left: unknown = Reflect.get(incoming, 'window')
    if (typeof left !== 'number' || typeof grant !== 'function') return
    if (left > wideWindowBytes / 2 || Reflect.get(outgoing, 'state') !== 'open') return
    Reflect.set(incoming, 'window', wideWindowBytes)
    Reflect.apply(grant, protocol, [Reflect.get(outgoing, 'id'), wideWindowBytes - left])
  }
  top()
  channel.on('data', top)
}

/** Joins the writes of one tick: ssh2 writes the length, content and code of each packet separately. */
export function gatherWrites<Socket extends Duplex>(socket: Socket): Socket {
  const write = socket.write.bind(socket)
  let isGathering = false
  const gathered = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true
      socket.cork()
      process.nextTick(() => {
        isGathering = false
        socket.uncork()
      })
    }
    const hasRoom: unknown = Reflect.apply(write, socket, [chunk, ...rest])
    return hasRoom === true
  }
  socket.write = gathered
  return socket
}

/** Opens a channel by `open`. Rejects with ChannelError, and with the reason of `signal`. */
export function openChannel(
  client: Client,
  open: (done: ClientCallback) => void,
  signal?: AbortSignal,
): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const stop = onAbort(signal, abort)
    const lose = (): void => fail(lostConnection())
    function settle(): void {
      isWaiting = false
      client.off('close', lose)
      stop()
    }
    function fail(reason: unknown): void {
      settle()
      reject(errorOf(reason))
    }
    function abort(): void {
      fail(signal?.reason)
    }
    if (signal?.aborted) return abort()
    client.once('close', lose)
    try {
      open((error, channel) => {
        if (error) {
          const isProhibited = 'reason' in error && error.reason === administrativelyProhibited
          return fail(new ChannelError('refused', error.message, isProhibited))
        }
        if (!isWaiting) {
          closeChannel(channel.resume())
          return
        }
        settle()
        resolve(channel)
      })
    } catch {
      // ssh2 throws if its socket is no longer writable.
      lose()
    }
  })
}

/**
 * Wraps a channel in a stream that follows Node's rules. ssh2's own stream ends normally when the connection is lost, never
 * answers writes after the channel's close, and ignores the error of `destroy`. `frame`: of the channel's script.
 */
export function channelStream(
  client: Client,
  channel: ClientChannel,
  signal?: AbortSignal,
  frame?: PipeFrame,
): Duplex {
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let answerWrite: ((error?: Error | null) => void) | undefined
  const settleWrite = (error?: Error | null): void => {
    const answer = answerWrite
    answerWrite = undefined
    answer?.(error)
  }
  /** Whether the command never began. Its output, which follows, is the reason: failed writes wait for it. */
  const isRefused = (): boolean => frame !== undefined && !frame.hasBegun()
  const stream = new Duplex({
    readableHighWaterMark: readAheadBytes,
    read: () => void channel.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (isClosed && !isRefused()) return done(new ChannelError('lost', 'channel closed'))
      answerWrite = done
      if (!isClosed) channel.write(chunk, (error) => void ((error && isRefused()) || settleWrite(error)))
    },
    final(done) {
      channel.end()
      done()
    },
    destroy(error, done) {
      clearTimeout(timer)
      client.off('close', lose)
      settleWrite(error ?? new ChannelError('lost', 'channel closed'))
      // Drops pending data: ssh2 releases a channel only after all of it was read.
      closeChannel(channel.resume())
      done(error)
    },
  })
  function lose(): void {
    stream.destroy(lostConnection())
  }
  function refuse(): void {
    stream.destroy(new ChannelError('refused', frame?.loginOutput() ?? ''))
  }
  function close(): void {
    isClosed = true
    // A lost connection closes the channel first.
    if (isRefused()) return void setImmediate(refuse)
    settleWrite(new ChannelError('lost', 'channel closed'))
    stream.end()
  }
  client.once('close', lose)
  channel.on('data', (data: Buffer) => {
    const hadEnded = frame?.hasEnded() ?? false
    const printed = frame ? frame.read(data) : data
    if (printed && printed.length > 0 && !stream.push(printed)) channel.pause()
    if (hadEnded || !frame?.hasEnded()) return
    stream.push(null)
    timer = setTimeout(close, lateOutputTimeoutMs)
  })
  channel.stderr.resume()
  channel.on('end', () => {
    // A lost connection ends the channel first.
    if (isRefused()) setImmediate(refuse)
    else {
      const rest = frame?.rest()
      if (rest) stream.push(rest)
      stream.push(null)
    }
  })
  channel.on('close', close)
  return destroyOnAbort(signal, stream)
}
