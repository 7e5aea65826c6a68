import { Transform, Writable } from 'node:stream'
import type { ServerChannel } from 'ssh2'

/** characters of one line of input; more is not taken, as in a terminal driver's line buffer */
const lineLength = 4096
/** bytes that may wait for the client before more of what it types is read */
const unread = 256 * 1024

const defaultColumns = 80
const widest = 1000

/** The client's terminal as node:readline sees it: `columns`, and 'resize' when they change. */
export class Terminal extends Writable {
  columns: number

  /** `columns` as the client tells them; 0 where it does not know. */
  constructor(channel: ServerChannel, columns: number) {
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

const sensible = (columns: number): number => (columns > 0 ? Math.min(columns, widest) : defaultColumns)

/**
 * What the client types, for node:readline, which bounds neither the length of a line nor what it echoes: characters
 * beyond 4096 in a line are dropped, and nothing more is read while the client does not read.
 */
export function lineInput(channel: ServerChannel): Transform {
  let length = 0
  const input = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const kept = chunk.filter((byte) => {
        const ends = byte === 0x0a || byte === 0x0d
        length = ends ? 0 : length + 1
        return ends || length <= lineLength
      })
      const pass = () => {
        done(null, Buffer.from(kept))
      }
      if (channel.writableLength > unread) channel.once('drain', pass)
      else pass()
    },
  })
  return channel.pipe(input)
}
