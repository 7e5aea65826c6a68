import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** Failure to open a listener. `code`: code of the system, such as EADDRINUSE. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  constructor(
    readonly code: string,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

const explain = (code: string, address: string, port: number): string => {
  switch (code) {
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this computer; its machines must share 127.0.0.1`
    case 'EADDRINUSE':
      return `port ${port} on ${address} is in use by another program`
    case 'EACCES':
      return `port ${port} on ${address} may not be used by this user`
    default:
      return `cannot listen on ${address}, port ${port} (${code})`
  }
}

/** Listens on one address. Port 0: any. Rejects with ListenError. */
export async function listen(
  address: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<Server> {
  const server = createServer(accept)
  server.listen({ host: address, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ListenError(code, explain(code, address, port), error)
  }
  server.on('error', () => {
    server.close()
  })
  return server
}

export const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

export const closeListener = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
