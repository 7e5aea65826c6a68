import { Transform, Writable } from 'node:stream'
import type { ServerChannel } from 'ssh2'

/** characters of one line of input; further ones are dropped, as in the line buffer of a terminal driver */
const lineLength = 4096
/** bytes buffered for the client above which its input is not read */
const maximumUnread = 256 * 1024

const defaultColumns = 80
const widest = 1000

/** The client's terminal as the output of node:readline: `columns`, and 'resize' when they change. */
export class Terminal extends Writable {
  columns: number

  /** `columns` as requested by the client; 0: unknown. */
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
 * Input for node:readline, which bounds neither the length of a line nor its echo: characters beyond 4096 in a line are
 * dropped, and input is not read while the client does not read output.
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
      if (channel.writableLength > maximumUnread) channel.once('drain', pass)
      else pass()
    },
  })
  return channel.pipe(input)
}
