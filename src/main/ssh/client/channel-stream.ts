import { Duplex } from 'node:stream'
import type { Client, ClientCallback, ClientChannel } from 'ssh2'
import { destroyOnAbort, onAbort } from '../../core/on-abort'
import { lateOutputWithin, type PipeFrame } from './framed-output'
import { ChannelError } from './transport'

/** Bytes that are read ahead; ssh2's own window of 2 MiB comes on top. */
const readAhead = 64 * 1024

/** Reason code of SSH_MSG_CHANNEL_OPEN_FAILURE (RFC 4254 §5.1). */
const administrativelyProhibited = 1

const lostConnection = (): ChannelError => new ChannelError('lost', 'connection lost')
export const errorOf = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))

/**
 * Closes a channel. ssh2 would keep granting window for it until the machine's close arrives; OpenSSH may have given the
 * number to another channel by then, which sends that much more than ssh2 accepts, and ssh2 drops what is too much.
 */
export function closeChannel(channel: ClientChannel): void {
  channel.close()
  const outgoing: unknown = Reflect.get(channel, 'outgoing')
  if (typeof outgoing === 'object' && outgoing !== null) Reflect.set(outgoing, 'state', 'closed')
}

/** Bytes that the machine may send on a wide channel before they are read. */
const wideWindow = 8 * 1024 * 1024

/**
 * Lets the machine send four times as much as ssh2 would before it has to wait for an answer: on a line of 200 ms, ssh2's
 * window of 2 MiB carries no more than ten megabytes a second.
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
    if (left > wideWindow / 2 || Reflect.get(outgoing, 'state') !== 'open') return
    Reflect.set(incoming, 'window', wideWindow)
    Reflect.apply(grant, protocol, [Reflect.get(outgoing, 'id'), wideWindow - left])
  }
  top()
  channel.on('data', top)
}

/** Sends what is written in one tick together: ssh2 writes the length, the content and the code of each packet by itself. */
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

/** The channel that `open` asks the machine for. Rejects with ChannelError, and with the reason of `signal`. */
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
      // ssh2 throws where its socket is not writable any more.
      lose()
    }
  })
}

/**
 * A channel as a stream that follows Node's rules. ssh2's own ends as if all had been read when the connection is
 * lost, leaves writes without an answer once the channel is closed, and takes no error when it is destroyed.
 * `frame`: of the script that the channel runs.
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
  /** The command never began. The reason is its output, which follows: until then, failed writes stay open. */
  const isRefused = (): boolean => frame !== undefined && !frame.hasBegun()
  const stream = new Duplex({
    readableHighWaterMark: readAhead,
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
      // What is still on its way is dropped: ssh2 lets go of a channel only when all of it was read.
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
    timer = setTimeout(close, lateOutputWithin)
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
