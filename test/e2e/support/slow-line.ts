import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two pieces. */
const pause = 20

/** A connection to a server on `port` of an address, with so many bytes a second per direction until it is `free`. */
export async function slowLine(address: string, port: number, rate: number) {
  const piece = (rate * pause) / 1_000
  const sockets = new Set<Socket>()
  let isFree = rate === Infinity
  async function* slowly(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source)
      for (let from = 0; from < chunk.length; from += piece) {
        if (!isFree) await setTimeout(pause)
        yield chunk.subarray(from, from + piece)
      }
  }
  const server = createServer((near) => {
    const far = connect(port, address)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      pipeline(from, slowly, to).catch(() => to.destroy())
    }
  })
  await once(server.listen(0, address), 'listening')
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : 0,
    free: (): void => void (isFree = true),
    close(): void {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
