import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

// Node answers invalid HTTP requests, which never reach the application, with an empty body or not at all. This module
// answers them with an envelope.

const errorBody = (message: string): string => JSON.stringify({ status: false, message, data: {} })

/** Answers to errors of Node's parser, by code. */
const parserErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request line and headers must not be larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
}
const invalidHttp = [400, 'the request is not valid HTTP'] as const

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** Creates the response to a request that the adapter rejects, such as one without a Host header. */
export const malformedRequest = (error: unknown): Response =>
  new Response(errorBody(`the request is malformed: ${error instanceof Error ? error.message : 'unknown'}`), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  })

/** Answers requests that the server rejects before its request listener with an envelope. */
export function answerProtocolErrors(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>()
  const answered = new WeakSet<Duplex>()

  const answer = (socket: Duplex, status: number, message: string, headers: readonly string[] = []): void => {
    const response = responses.get(socket)
    const isResponding = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || answered.has(socket) || isResponding) {
      socket.destroy()
      return
    }
    answered.add(socket)
    const body = errorBody(message)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...headers,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
  })
  server.on('clientError', (error: Error, socket) => {
    if (codeOf(error) === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const [status, message] = parserErrors[codeOf(error)] ?? invalidHttp
    answer(socket, status, message)
  })
  server.on('checkExpectation', ({ socket, headers }: IncomingMessage) => {
    answer(socket, 417, `the expectation ${JSON.stringify(headers.expect)} cannot be met`)
  })
  server.on('connect', (_request: IncomingMessage, socket) => {
    answer(socket, 405, 'CONNECT is not offered here', ['Allow: GET, POST, PUT, DELETE'])
  })
}
