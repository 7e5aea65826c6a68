import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock'
import { ChannelError } from '../../ssh/client/transport'
import { type Field, fieldsOf, MalformedAnswer, Packet, requestPacket } from './packet'

/** §7 */
const Status = { ok: 0, endOfFile: 1, noSuchFile: 2, permissionDenied: 3, unsupported: 8 } as const

export type SftpProblem = 'no-such-file' | 'permission-denied' | 'unsupported' | 'failure'

/** The machine refused a request. `message` is its own words. */
export class SftpError extends Error {
  override readonly name = 'SftpError'
  constructor(
    readonly problem: SftpProblem,
    message: string,
  ) {
    super(message)
  }
}

export interface Answer {
  readonly type: number
  readonly fields: ReturnType<typeof fieldsOf>
}

/** Bytes of one packet at most, as in OpenSSH. */
const longestPacket = 256 * 1024
/** Seconds that a machine may be silent while it owes an answer. */
const patience = 60

function problemOf(code: number): SftpProblem {
  if (code === Status.noSuchFile) return 'no-such-file'
  if (code === Status.permissionDenied) return 'permission-denied'
  return code === Status.unsupported ? 'unsupported' : 'failure'
}

/** The names of the extensions that a machine says it has, each with a value (§4). */
function extensionsIn(fields: Answer['fields']): ReadonlySet<string> {
  const names = new Set<string>()
  try {
    while (!fields.isOver()) {
      const name = fields.bytes().toString()
      fields.bytes()
      names.add(name)
    }
  } catch (error) {
    // What else it says there is its own affair.
    if (!(error instanceof MalformedAnswer)) throw error
  }
  return names
}

/**
 * Requests of SFTP version 3 over a channel, any number of them under way. Each is answered once, with null at the end
 * of a file or folder, and rejects with SftpError where it is refused. All reject with ChannelError once the channel
 * ends, with MalformedAnswer once the machine breaks the protocol, and with a ChannelError where it falls silent.
 */
export function sftpSession(channel: Duplex, clock: Pick<Clock, 'after'>) {
  interface Pending {
    resolve(answer: Answer | null): void
    reject(error: Error): void
  }
  const pending = new Map<number, Pending>()
  let ended: Error | undefined
  let nextId = 0
  let received: Buffer[] = []
  /** Bytes that were received, and that the next packet needs, as far as that is known. */
  let length = 0
  let needed = 4
  let cancelSilence = (): void => undefined
  let opened: (Pick<Pending, 'reject'> & { resolve(extensions: ReadonlySet<string>): void }) | undefined

  function fail(error: Error): void {
    if (ended) return
    ended = error
    cancelSilence()
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
    opened?.reject(error)
    channel.destroy()
  }
  function watchSilence(): void {
    cancelSilence()
    cancelSilence =
      pending.size > 0 || opened
        ? clock.after(patience, () => fail(new ChannelError('lost', 'ETIMEDOUT')))
        : () => undefined
  }

  function settle(packet: Buffer): void {
    const fields = fieldsOf(packet)
    const type = fields.byte()
    const id = fields.word()
    if (type === Packet.version) {
      opened?.resolve(extensionsIn(fields))
      opened = undefined
      return
    }
    const request = pending.get(id)
    if (!request) throw new MalformedAnswer('an answer that no request asked for')
    pending.delete(id)
    if (type !== Packet.status) return request.resolve({ type, fields })
    const code = fields.word()
    if (code === Status.ok) request.resolve({ type, fields })
    else if (code === Status.endOfFile) request.resolve(null)
    else {
      // Servers of version 2 send no message.
      const message = packet.length > 9 ? fields.bytes().subarray(0, 1_000).toString() : ''
      request.reject(new SftpError(problemOf(code), message))
    }
  }

  /** A packet comes in several pieces, which are put together once all of it is there. */
  function receive(data: Buffer): void {
    received.push(data)
    length += data.length
    while (length >= needed) {
      let rest = received.length === 1 ? data : Buffer.concat(received)
      needed = 4
      while (rest.length >= 4) {
        const size = rest.readUInt32BE()
        if (size < 5 || size > longestPacket) throw new MalformedAnswer('a packet of an impossible length')
        needed = 4 + size
        if (rest.length < needed) break
        settle(rest.subarray(4, needed))
        rest = rest.subarray(needed)
        needed = 4
      }
      received = rest.length === 0 ? [] : [rest]
      length = rest.length
    }
  }

  channel.on('data', (data: Buffer) => {
    if (ended) return
    try {
      receive(data)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
    watchSilence()
  })
  channel.on('error', fail)
  channel.on('close', () => fail(new ChannelError('lost', 'channel closed')))
  channel.on('end', () => fail(new ChannelError('lost', 'channel closed')))

  return {
    /** Greets the machine, and answers the names of the extensions that it has. Once, before any request. */
    open(): Promise<ReadonlySet<string>> {
      const answered = new Promise<ReadonlySet<string>>((resolve, reject) => (opened = { resolve, reject }))
      watchSilence()
      // Version 3, and no id: the layout of a request whose id is the version.
      channel.write(requestPacket(Packet.init, 3, []))
      return answered
    },
    request(type: number, ...fields: readonly Field[]): Promise<Answer | null> {
      if (ended) return Promise.reject(ended)
      const id = nextId
      nextId = (nextId + 1) % 2 ** 32
      const answered = new Promise<Answer | null>((resolve, reject) => pending.set(id, { resolve, reject }))
      if (pending.size === 1) watchSilence()
      channel.write(requestPacket(type, id, fields))
      return answered
    },
    close: (): void => fail(new ChannelError('lost', 'closed')),
  }
}
