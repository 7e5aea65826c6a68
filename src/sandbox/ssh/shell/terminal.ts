import { type Duplex, Transform, Writable } from 'node:stream'

/** Upper bound on the characters of an input line, as in a terminal driver's line buffer. Further ones are dropped. */
const maxLineLength = 4096
/** Upper bound on the bytes buffered for the client, above which its input is not read. */
const maxUnreadBytes = 256 * 1024
/** Upper bound on the bytes typed ahead, above which no more are read. */
const maxWaitingBytes = 64 * 1024
const ctrlC = 0x03

const defaultColumns = 80
const widest = 1000

const sensible = (columns: number): number => (columns > 0 ? Math.min(columns, widest) : defaultColumns)

/** Client's terminal as the output of node:readline: `columns`, and 'resize' when they change. */
export class Terminal extends Writable {
  columns: number

  /** `columns`: as requested by the client; 0: unknown. */
  constructor(channel: Writable, columns: number) {
    super({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        channel.write(chunk)
        done()
      },
    })
    this.columns = sensible(columns)
  }

  resize(columns: number): void {
    this.columns = sensible(columns)
    this.emit('resize')
  }
}

const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d

/**
 * Input for node:readline, one line at a time. `hold` retains the input after the current line, and `release` passes the
 * next line. In between, Ctrl-C passes at once and discards earlier input, as in a terminal driver. Readline limits neither
 * the length of a line nor its echo: characters beyond 4096 in a line are dropped, and nothing passes while the client does
 * not read output.
 */
export class LineInput extends Transform {
  private readonly channel: Duplex
  private readonly hasTerminal: boolean
  private state: 'open' | 'held' | 'interrupted' = 'open'
  private waiting: Buffer = Buffer.alloc(0)
  /** Bytes that may wait before reading pauses; 1 at the end of the input, so that all bytes pass before the end. */
  private room = maxWaitingBytes
  private whenTaken: (() => void) | undefined
  private isPassing = false
  private length = 0

  constructor(channel: Duplex, hasTerminal: boolean) {
    super()
    this.channel = channel
    this.hasTerminal = hasTerminal
    channel.pipe(this)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.waiting = Buffer.concat([this.waiting, chunk])
    this.whenTaken = done
    this.advance()
  }

  override _flush(done: () => void): void {
    this.room = 1
    this.whenTaken = done
    this.advance()
  }

  hold(): void {
    this.state = 'held'
    this.advance()
  }

  release(): void {
    this.state = 'open'
    this.advance()
  }

  private advance(): void {
    this.interrupt()
    if (this.waiting.length < this.room) {
      this.whenTaken?.()
      this.whenTaken = undefined
    }
    if (this.state !== 'open' || this.isPassing || this.waiting.length === 0) return
    this.isPassing = true
    // The callback of an empty write runs after all unread output was written.
    if (this.channel.writableLength > maxUnreadBytes) this.channel.write('', () => this.pass())
    else this.pass()
  }

  private interrupt(): void {
    if (!this.hasTerminal || this.state === 'open') return
    const at = this.waiting.lastIndexOf(ctrlC)
    if (at === -1) return
    this.waiting = this.waiting.subarray(at + 1)
    // One Ctrl-C is enough; more would be echoed without limit.
    if (this.state === 'held') this.push(Buffer.of(ctrlC))
    this.state = 'interrupted'
  }

  private pass(): void {
    if (this.destroyed) return
    const end = this.waiting.findIndex(isLineEnd)
    const line = end === -1 ? this.waiting : this.waiting.subarray(0, end + 1)
    this.waiting = this.waiting.subarray(line.length)
    this.push(Buffer.from(line.filter((byte) => this.fits(byte))))
    // By then readline has read the piece, and its listener has held the input if the piece was a line.
    setImmediate(() => {
      this.isPassing = false
      this.advance()
    })
  }

  private fits(byte: number): boolean {
    this.length = isLineEnd(byte) ? 0 : this.length + 1
    return this.length <= maxLineLength
  }
}
