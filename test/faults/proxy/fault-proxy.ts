import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { makeCertificate } from '../../fixtures/certificates'
import { type Answer, type RecordedRequest, type Fault, type Place, reply } from './wire'

/** One fault, and the proxy's record of requests that hit it. */
export interface CellWay {
  /** Replaces the service's base URL. */
  readonly baseUrl: string
  /** Null: requests pass unchanged. */
  fault: Fault | null
  /** Requests that the service acted on, as "POST /volumes". */
  readonly passed: readonly string[]
  /** Requests to another host, after a redirect. */
  astray(): number
}

interface OpenWay extends CellWay {
  readonly passed: string[]
  count: number
  signedInAnew: boolean
}

const yesterday = Math.floor(Date.now() / 1000) - 86_400

const textOf = async (stream: IncomingMessage): Promise<string> => {
  stream.setEncoding('utf8')
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

/** Credentials and the type of the body: all that the service needs from a request's head. */
const needed = ['authorization', 'refresh-token', 'content-type'] as const

/**
 * A proxy on loopback in front of the service at `target` (its base URL). Each cell of the matrix has its own base
 * path, so that many run at once. Answers of the service are cached: a change would be refused the second time, and
 * reads must be the same for all cells.
 */
export async function startFaultProxy(target: string) {
  const ways = new Map<string, OpenWay>()
  const done = new Map<string, Answer>()
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const seenElsewhere: string[] = []

  async function listen(server: Server): Promise<number> {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const address: AddressInfo | string | null = server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
    return address.port
  }

  const ask = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<Answer> => {
    const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) })
    return { status: answer.status, headers: {}, body: await answer.text() }
  }

  const origin = (port: number, scheme = 'http', host = '127.0.0.1') => `${scheme}://${host}:${String(port)}`
  const observe: RequestListener = (incoming, response) => {
    seenElsewhere.push(incoming.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
    response.end('{"status":true,"data":[]}')
  }

  const elsewhere = origin(await listen(createServer(observe)), 'http', 'localhost')

  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', target)
    const [, id = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? []
    const way = ways.get(id)
    const body = await textOf(incoming)
    if (!way) return void response.writeHead(400).end()
    const method = incoming.method ?? 'GET'
    const headers = Object.fromEntries(
      needed.flatMap((name) => {
        const value = incoming.headers[name]
        return value === undefined ? [] : [[name, String(value)]]
      }),
    )
    const isSignIn = path === '/authenticate/login'
    const count = way.count
    way.count += 1
    const exchange: RecordedRequest = {
      method,
      path,
      query,
      response,
      count,
      signedInAnew: way.signedInAnew,
      credential: headers.authorization ?? '',
      elsewhere: `${elsewhere}/${id}`,
      async pass(change) {
        way.passed.push(`${method} ${path}`)
        change?.(query)
        const url = `${target}${path}${query.size > 0 ? `?${String(query)}` : ''}`
        const key = `${method} ${url} ${body}`
        const answer = done.get(key) ?? (await ask(method, url, headers, body))
        if (!isSignIn && answer.status === 200) done.set(key, answer)
        if (isSignIn) way.signedInAnew = true
        return answer
      },
    }
    if (way.fault?.act) return way.fault.act(exchange)
    const { status, body: text } = await exchange.pass()
    return reply(exchange, status, text)
  }

  const handle: RequestListener = (incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  }
  const refuseTls = (hosts: readonly string[], to?: number) => {
    const { key, pem } = makeCertificate({
      name: 'service.example',
      hosts,
      ...(to === undefined ? {} : { from: to - 86_400, to }),
    })
    return createTlsServer({ key, cert: pem }, handle)
  }
  const self = origin(await listen(createServer(handle)))
  const closed = createTcpServer()
  const closedPort = await listen(closed)
  closed.close()
  const origins: Readonly<Record<Place, string>> = {
    // Longer than a label may be, so no resolver sends a query for it.
    'no-name': `http://${'n'.repeat(70)}.invalid`,
    'closed-port': origin(closedPort),
    resets: origin(await listen(createTcpServer((socket) => void socket.resetAndDestroy()))),
    closes: origin(await listen(createTcpServer((socket) => void socket.end()))),
    silent: origin(await listen(createTcpServer())),
    'self-signed': origin(await listen(refuseTls(['127.0.0.1'])), 'https'),
    expired: origin(await listen(refuseTls(['127.0.0.1'], yesterday)), 'https'),
    'other-host': origin(await listen(refuseTls(['other.example'])), 'https'),
  }

  return {
    /** Destination of the network while `fault` is on. */
    route: (url: string, fault: Fault | null): string =>
      fault?.leadsTo ? url.replace(self, origins[fault.leadsTo]) : url,
    openWay(id: string): CellWay {
      const way: OpenWay = {
        baseUrl: `${self}/${id}`,
        fault: null,
        passed: [],
        astray: () => seenElsewhere.filter((path) => path.startsWith(`/${id}/`)).length,
        count: 0,
        signedInAnew: false,
      }
      ways.set(id, way)
      return way
    },
    close: async (): Promise<void> => {
      sockets.forEach((socket) => socket.destroy())
      await Promise.all(
        servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))),
      )
    },
  }
}
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>
