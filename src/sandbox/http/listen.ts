import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { HttpEnvironment } from './mount-endpoints'
import { answerProtocolErrors, malformedRequest } from './protocol-errors'

export interface HttpServer {
  readonly port: number
  /** Ends open connections too. */
  close(): Promise<void>
}

const host = '127.0.0.1'
/** Longer than Node's five seconds, which close a connection while a busy computer is about to reuse it. */
const keepAliveTimeoutMs = 60_000

/** Serves an application on loopback only. `port` 0: any. Rejects if the port is in use. */
export function listen(
  application: {
    fetch(request: Request, bindings: HttpEnvironment['Bindings']): Response | Promise<Response>
  },
  port: number,
): Promise<HttpServer> {
  const listener = getRequestListener((request, bindings) => application.fetch(request, bindings), {
    errorHandler: malformedRequest,
  })
  // Node itself would answer a missing Host header with an empty body.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: keepAliveTimeoutMs })
  answerProtocolErrors(server)
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => {
        if (error === undefined) resolve()
        else reject(error)
      })
      server.closeAllConnections()
    })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ port: portOf(server.address()), close })
    })
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('the server has no port')
}
