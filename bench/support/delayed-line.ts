// A connection to a port of loopback with a longer round trip, in its own process.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Upper bound on bytes in transit per direction: the connection is long, not narrow. */
const mostOnWay = 64 * 1024 * 1024

/** Forwards data in order, `delayMs` after it arrived. */
function passOn(from: Socket, to: Socket, delayMs: () => number): void {
  const queue: { readonly due: number; readonly data: Buffer }[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const deliver = (): void => {
    timer = undefined
    const now = performance.now()
    for (let [next] = queue; next && next.due <= now; [next] = queue) {
      queue.shift()
      bytes -= next.data.length
      to.write(next.data)
    }
    if (bytes < mostOnWay) from.resume()
    if (queue[0]) timer = setTimeout(deliver, queue[0].due - now)
  }
  from.on('data', (data: Buffer) => {
    if (delayMs() === 0 && queue.length === 0) {
      if (!to.write(data)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
      return
    }
    queue.push({ due: performance.now() + delayMs(), data })
    bytes += data.length
    if (bytes >= mostOnWay) from.pause()
    timer ??= setTimeout(deliver, delayMs())
  })
  from.on('error', () => undefined)
  from.on('close', () => {
    clearTimeout(timer)
    to.destroy()
  })
}

const port = Number(process.argv[2])
let oneWayMs = 0
const server = createServer((near) => {
  const far = connect(port, '127.0.0.1')
  for (const socket of [near, far]) socket.setNoDelay()
  passOn(near, far, () => oneWayMs)
  passOn(far, near, () => oneWayMs)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
// From `fork`: a number is the round-trip delay in milliseconds.
process.on('message', (delayMs) => (oneWayMs = Number(delayMs) / 2))
process.send?.(typeof address === 'object' && address ? address.port : 0)
process.on('disconnect', () => process.exit())
