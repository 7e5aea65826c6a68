import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock'
import { ChannelError } from '../../ssh/client/transport'
import { type Field, fieldsOf, lengthOf, MalformedAnswer, Packet, requestPacket } from './packet'

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

/** The machine refused to rename a whole copy. */
export class UnnamedCopy extends SftpError {
  constructor(
    readonly refusal: SftpError,
    /** Path of the copy. */
    readonly part: string,
    /** Path of a file or folder that was moved out of the way of the copy; null: nothing was. */
    readonly aside: string | null,
  ) {
    super(refusal.problem, refusal.message)
  }
}

/** Something printed text before the SFTP server began. `line`: the first line of it. */
export class PrintedText extends MalformedAnswer {
  constructor(readonly line: string) {
    super('text before the first packet')
  }
}

/** Characters of a printed line that are kept. */
const longestLine = 200
function firstLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.replaceAll(/\p{Cc}/gu, '').trim())
  return (lines.find((line) => line !== '') ?? '').slice(0, longestLine)
}

export interface Answer {
  readonly type: number
  readonly fields: ReturnType<typeof fieldsOf>
  /** The content of a file, in pieces as they came. */
  readonly data: readonly Buffer[]
}

/** Bytes of an answer with the content of a file before that: its type, its id and the length (§7). */
const dataHeader = 9

/** Pieces of a packet that are kept so: each takes memory of its own. */
const mostPieces = 32

const wholeOf = (pieces: readonly Buffer[]): Buffer => {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

/** The first `count` bytes of what a packet holds. Throws MalformedAnswer where it has fewer. */
function firstOf(pieces: readonly Buffer[], count: number): readonly Buffer[] {
  const length = lengthOf(pieces)
  if (length < count) throw new MalformedAnswer('a packet ends too early')
  return length === count && pieces.length <= mostPieces ? pieces : [wholeOf(pieces).subarray(0, count)]
}

/** Bytes of one packet at most, as in OpenSSH. */
const longestPacket = 256 * 1024
/** Seconds that a machine may be silent while it owes an answer. */
const silenceTimeoutSeconds = 60

function problemOf(code: number): SftpProblem {
  if (code === Status.noSuchFile) return 'no-such-file'
  if (code === Status.permissionDenied) return 'permission-denied'
  return code === Status.unsupported ? 'unsupported' : 'failure'
}

/** What a request comes to; null: the end of a file or folder. Throws MalformedAnswer. */
function outcomeOf(
  type: number,
  fields: Answer['fields'],
  content: readonly Buffer[],
): Answer | SftpError | null {
  if (type === Packet.data) return { type, fields, data: firstOf(content, fields.word()) }
  const code = type === Packet.status ? fields.word() : Status.ok
  if (code === Status.ok) return { type, fields, data: [] }
  if (code === Status.endOfFile) return null
  // Servers of version 2 send no message.
  const message = fields.isOver() ? '' : fields.bytes().subarray(0, 1_000).toString()
  return new SftpError(problemOf(code), message)
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
  let failure: Error | undefined
  let nextId = 0
  const received: Buffer[] = []
  /** Bytes that were received, and those of the next packet, once that is known. */
  let length = 0
  let size: number | null = null
  let cancelSilence = (): void => undefined
  let opened: (Pick<Pending, 'reject'> & { resolve(extensions: ReadonlySet<string>): void }) | undefined

  function fail(error: Error): void {
    if (failure) return
    failure = error
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
        ? clock.after(silenceTimeoutSeconds, () => fail(new ChannelError('lost', 'ETIMEDOUT')))
        : () => undefined
  }

  /** `content`: what follows the header of data. */
  function settle(packet: Buffer, content: readonly Buffer[]): void {
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
    // Where that throws, the request fails with all others.
    const outcome = outcomeOf(type, fields, content)
    pending.delete(id)
    if (outcome instanceof SftpError) request.reject(outcome)
    else request.resolve(outcome)
  }

  /** So many bytes of what was received, in pieces as they came. */
  function take(count: number): Buffer[] {
    const taken: Buffer[] = []
    let left = count
    let used = 0
    for (const piece of received) {
      if (left === 0) break
      taken.push(piece.subarray(0, left))
      if (piece.length > left) received[used] = piece.subarray(left)
      else used += 1
      left -= Math.min(left, piece.length)
    }
    received.splice(0, used)
    length -= count
    return taken
  }

  /** A packet comes in several pieces; the content of a file stays so, as putting it together would copy it once more. */
  function receive(data: Buffer): void {
    received.push(data)
    length += data.length
    for (;;) {
      if (size === null) {
        if (length < 4) return
        const begin = wholeOf(take(4))
        size = begin.readUInt32BE()
        const isPossible = size >= 5 && size <= longestPacket
        if (!isPossible && opened)
          throw new PrintedText(firstLine(Buffer.concat([begin, ...received]).toString()))
        if (!isPossible) throw new MalformedAnswer('a packet of an impossible length')
      }
      if (length < size) return
      const isData = received[0]?.[0] === Packet.data
      const begin = wholeOf(take(isData ? Math.min(size, dataHeader) : size))
      settle(begin, take(size - begin.length))
      size = null
    }
  }

  /** A channel that ends before the server has greeted has no server: its program is missing, or failed. */
  const ended = (): void =>
    fail(new ChannelError(opened ? 'refused' : 'lost', opened ? 'no SFTP server answered' : 'channel closed'))

  channel.on('data', (data: Buffer) => {
    if (failure) return
    try {
      receive(data)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
    watchSilence()
  })
  channel.on('error', (error: Error & { readonly code?: unknown }) =>
    // The server ended before this side noticed, and a request was still written.
    error.code === 'ERR_STREAM_WRITE_AFTER_END' ? ended() : fail(error),
  )
  channel.on('close', ended)
  channel.on('end', ended)

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
      if (failure) return Promise.reject(failure)
      const id = nextId
      nextId = (nextId + 1) % 2 ** 32
      const answered = new Promise<Answer | null>((resolve, reject) => pending.set(id, { resolve, reject }))
      if (pending.size === 1) watchSilence()
      channel.write(requestPacket(type, id, fields))
      return answered
    },
    fail,
    close: (): void => fail(new ChannelError('lost', 'closed')),
  }
}
