import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock'
import { ChannelError } from '../../ssh/client/transport'
import { type Field, fieldsOf, lengthOf, MalformedAnswer, Packet, requestPacket } from './packet'

/** Status codes (§7). */
const Status = { ok: 0, endOfFile: 1, noSuchFile: 2, permissionDenied: 3, unsupported: 8 } as const

export type SftpProblem = 'no-such-file' | 'permission-denied' | 'unsupported' | 'failure'

/** The machine refused a request. `message`: its own text. */
export class SftpError extends Error {
  override readonly name = 'SftpError'
  constructor(
    readonly problem: SftpProblem,
    message: string,
  ) {
    super(message)
  }
}

/** Returns a handler that replaces a refusal, of one kind or any, by `value`, and rethrows other errors. */
export const ifRefused =
  <Value>(value: Value, problem?: SftpProblem) =>
  (error: unknown): Value => {
    if (error instanceof SftpError && (problem ?? error.problem) === error.problem) return value
    throw error
  }

export const isAccepted = (request: Promise<unknown>): Promise<boolean> =>
  request.then(() => true, ifRefused(false))

/** The machine refused to rename a complete copy. */
export class UnnamedCopy extends SftpError {
  constructor(
    readonly refusal: SftpError,
    readonly part: string,
    /** Path of the replaced file or folder, which was moved aside; null: none. */
    readonly aside: string | null,
  ) {
    super(refusal.problem, refusal.message)
  }
}

/** The machine printed text before its SFTP server started. `line`: its first line. */
export class PrintedText extends MalformedAnswer {
  constructor(readonly line: string) {
    super('text before the first packet')
  }
}

const maxLineLength = 200
const maxMessageBytes = 1_000
function firstLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.replaceAll(/\p{Cc}/gu, '').trim())
  return (lines.find((line) => line !== '') ?? '').slice(0, maxLineLength)
}

export interface Answer {
  readonly type: number
  readonly fields: ReturnType<typeof fieldsOf>
  readonly data: readonly Buffer[]
}

/** Bytes before the content in SSH_FXP_DATA: type, id and length (§7). */
const dataHeaderBytes = 9

/** Pieces of one packet before they are joined: each piece needs memory. */
const maxPieces = 32

const wholeOf = (pieces: readonly Buffer[]): Buffer => {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

function firstOf(pieces: readonly Buffer[], count: number): readonly Buffer[] {
  const length = lengthOf(pieces)
  if (length < count) throw new MalformedAnswer('a packet ends too early')
  return length === count && pieces.length <= maxPieces ? pieces : [wholeOf(pieces).subarray(0, count)]
}

/** Bytes of one packet, as in OpenSSH. */
const maxPacketBytes = 256 * 1024
const silenceTimeoutSeconds = 60

function problemOf(code: number): SftpProblem {
  if (code === Status.noSuchFile) return 'no-such-file'
  if (code === Status.permissionDenied) return 'permission-denied'
  return code === Status.unsupported ? 'unsupported' : 'failure'
}

/** Returns the outcome of a request; null: the end of a file or folder. Throws MalformedAnswer. */
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
  const message = fields.isOver() ? '' : fields.bytes().subarray(0, maxMessageBytes).toString()
  return new SftpError(problemOf(code), message)
}

/** Reads the names of the server's extensions, each followed by a value (§4). */
function extensionsIn(fields: Answer['fields']): ReadonlySet<string> {
  const names = new Set<string>()
  try {
    while (!fields.isOver()) {
      const name = fields.bytes().toString()
      fields.bytes()
      names.add(name)
    }
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error
  }
  return names
}

/**
 * Sends requests of SFTP version 3 over a channel, any number in parallel. A request resolves to null at the end of a file or
 * folder, and rejects with SftpError if it is refused. All requests reject with ChannelError once the channel ends or is
 * silent, and with MalformedAnswer once the machine breaks the protocol.
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
  let receivedBytes = 0
  let packetBytes: number | null = null
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
    // If this throws, the request fails with all others.
    const outcome = outcomeOf(type, fields, content)
    pending.delete(id)
    if (outcome instanceof SftpError) request.reject(outcome)
    else request.resolve(outcome)
  }

  function take(count: number): Buffer[] {
    const first: Buffer[] = []
    let missing = count
    let used = 0
    for (const piece of received) {
      if (missing === 0) break
      first.push(piece.subarray(0, missing))
      if (piece.length > missing) received[used] = piece.subarray(missing)
      else used += 1
      missing -= Math.min(missing, piece.length)
    }
    received.splice(0, used)
    receivedBytes -= count
    return first
  }

  /** Settles the complete packets. The content of a file stays in pieces: joining them would copy it. */
  function receive(data: Buffer): void {
    received.push(data)
    receivedBytes += data.length
    for (;;) {
      if (packetBytes === null) {
        if (receivedBytes < 4) return
        const begin = wholeOf(take(4))
        packetBytes = begin.readUInt32BE()
        const isPossible = packetBytes >= 5 && packetBytes <= maxPacketBytes
        if (!isPossible && opened)
          throw new PrintedText(firstLine(Buffer.concat([begin, ...received]).toString()))
        if (!isPossible) throw new MalformedAnswer('a packet of an impossible length')
      }
      if (receivedBytes < packetBytes) return
      const isData = received[0]?.[0] === Packet.data
      const begin = wholeOf(take(isData ? Math.min(packetBytes, dataHeaderBytes) : packetBytes))
      settle(begin, take(packetBytes - begin.length))
      packetBytes = null
    }
  }

  /** A channel that ends before the greeting has no server: its program is missing or failed. */
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
    // A request was written after the server had ended.
    error.code === 'ERR_STREAM_WRITE_AFTER_END' ? ended() : fail(error),
  )
  channel.on('close', ended)
  channel.on('end', ended)

  return {
    /** Greets the machine, and returns the names of its extensions. Called once, before any request. */
    open(): Promise<ReadonlySet<string>> {
      const answered = new Promise<ReadonlySet<string>>((resolve, reject) => (opened = { resolve, reject }))
      watchSilence()
      // Same layout as a request, with the version instead of the id.
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
