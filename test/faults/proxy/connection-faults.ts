import { type Answer, type RecordedRequest, type Fault, reply } from './wire'

/** Seconds: only the client's timeout ends these exchanges. */
const short = 0.15

const cut = ({ response }: RecordedRequest): void => void response.socket?.resetAndDestroy()

/** Sends the head and part of the body; the announced length is the whole body's plus `more`. */
const sendPart = (
  { response }: RecordedRequest,
  { status, body }: Answer,
  share: number,
  more: number,
): Promise<void> =>
  new Promise((resolve) => {
    const bytes = Buffer.from(body)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': bytes.length + more,
      connection: 'close',
    })
    response.write(bytes.subarray(0, Math.ceil(bytes.length * share)), () => resolve())
  })

const lost = 'cannot-connect'

/** Faults of the connection to the service. */
export const connectionFaults: Readonly<Record<string, Fault>> = {
  'name not found': { what: 'no address for the name', leadsTo: 'no-name', expected: lost },
  refused: { what: 'nothing listens at the port', leadsTo: 'closed-port', expected: lost },
  'reset on connecting': { what: 'a reset as soon as it connects', leadsTo: 'resets', expected: lost },
  'closed on connecting': { what: 'closed as soon as it connects', leadsTo: 'closes', expected: lost },
  'black hole': {
    what: 'connected, and nothing more',
    leadsTo: 'silent',
    timeLimit: short,
    expected: 'timed-out',
  },
  'self-signed certificate': {
    what: 'a certificate that signs itself',
    leadsTo: 'self-signed',
    expected: 'untrusted-certificate',
  },
  'expired certificate': {
    what: 'a certificate that ended yesterday',
    leadsTo: 'expired',
    expected: 'untrusted-certificate',
  },
  'certificate of another host': {
    what: 'a certificate for another name',
    leadsTo: 'other-host',
    expected: 'untrusted-certificate',
  },
  'reset before an answer': { what: 'a reset before the service sees anything', act: cut, expected: lost },
  'reset after acting': {
    what: 'the service acts, and the connection is reset in place of its answer',
    act: async (exchange) => {
      await exchange.pass()
      cut(exchange)
    },
    expected: lost,
  },
  'reset during the body': {
    what: 'a reset after half of the answer',
    act: async (exchange) => {
      await sendPart(exchange, await exchange.pass(), 0.5, 0)
      cut(exchange)
    },
    expected: lost,
  },
  'reset after the body': {
    what: 'a reset where one byte more was announced',
    act: async (exchange) => {
      await sendPart(exchange, await exchange.pass(), 1, 1)
      cut(exchange)
    },
    expected: lost,
  },
  'closed during the body': {
    what: 'closed after half of the announced length',
    act: async (exchange) => {
      await sendPart(exchange, await exchange.pass(), 0.5, 0)
      exchange.response.socket?.end()
    },
    expected: lost,
  },
  'no HTTP': {
    what: 'the banner of an SSH server',
    act: ({ response }) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: 'unexpected-answer',
  },
  'slow start': {
    what: 'the answer begins after a while, within the time limit',
    act: async (exchange) => {
      const answer = await exchange.pass()
      setTimeout(() => reply(exchange, answer.status, answer.body), 50)
    },
    expected: { all: 'whole', paging: 'whole ×4' },
  },
  timeout: {
    what: 'no answer',
    act: () => undefined,
    timeLimit: short,
    expected: 'timed-out',
  },
  stall: {
    what: 'half of the body, and nothing more',
    act: async (exchange) => sendPart(exchange, await exchange.pass(), 0.5, 0),
    timeLimit: short,
    expected: 'timed-out',
  },
  'one byte a second': {
    what: 'one byte of the body a second',
    act: async (exchange) => {
      const { body } = await exchange.pass()
      const { response } = exchange
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      let sent = 0
      const drip = (): void => void response.write(body.slice(sent, (sent += 1)))
      drip()
      const timer = setInterval(drip, 1000)
      response.on('close', () => clearInterval(timer))
    },
    timeLimit: short,
    expected: 'timed-out',
  },
}
