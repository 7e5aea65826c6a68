import { gzipSync } from 'node:zlib'
import {
  answers,
  changes,
  changesData,
  changesRecords,
  envelopeOf,
  type Expected,
  type Fault,
  isObject,
  reply,
} from './wire'

const odd = 'unexpected-answer' as const
const unharmed: Expected = { all: 'whole', paging: 'whole ×4' }
/** Records of lists are checked individually; an answer without relevant data is not checked. */
const judged = {
  all: odd,
  page: 'readable',
  whole: 'readable',
  silent: 'whole',
  paging: 'readable ×4',
} as const
const records = { all: odd, page: 'whole', whole: 'whole', silent: 'whole', paging: 'whole ×4' } as const
const mebibyte = 1024 * 1024
/** The client's read limit, instead of its 64 MiB. */
const sizeLimit = mebibyte / 16
/** Spaces, which JSON may start with. */
const spaces = Buffer.alloc(sizeLimit, ' ')
let packed: Buffer | undefined
const bomb = (): Buffer => (packed ??= gzipSync(Buffer.alloc(50 * mebibyte, ' ')))

const withoutId = (record: unknown): unknown => {
  if (!isObject(record)) return record
  const { id: _id, ...rest } = record
  return rest
}

const wrongTypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wrongTypes)
  if (!isObject(value)) return typeof value === 'string' ? 7 : String(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrongTypes(inner)]))
}

const withTotal = (change: (total: number) => unknown) =>
  changes((answer) => {
    const envelope = envelopeOf(answer)
    return typeof envelope.total === 'number' ? { ...envelope, total: change(envelope.total) } : envelope
  })

const page = '<!doctype html><title>Free Wi-Fi</title><h1>Sign in to this network</h1>'

/** Faults of an answer's body. */
export const bodyFaults: Readonly<Record<string, Fault>> = {
  'captive portal': {
    what: 'HTTP 200 with a page of HTML',
    act: answers(200, page, { 'content-type': 'text/html' }),
    expected: odd,
  },
  'empty body': { what: 'HTTP 200 with nothing', act: answers(200, ''), expected: odd },
  'no content': { what: 'HTTP 204', act: answers(204, ''), expected: odd },
  'truncated JSON': {
    what: 'half of the JSON, its length announced as such',
    act: changes(({ body }) => body.slice(0, body.length / 2)),
    expected: odd,
  },
  'JSON null': { what: 'null in place of the envelope', act: answers(200, 'null'), expected: odd },
  'JSON text': { what: 'a string in place of the envelope', act: answers(200, '"ok"'), expected: odd },
  'missing envelope': {
    what: 'the data by itself',
    act: changes((answer) => JSON.stringify(envelopeOf(answer).data ?? {})),
    expected: odd,
  },
  'status as text': {
    what: 'status "true" in place of true',
    act: changes((answer) => ({ ...envelopeOf(answer), status: 'true' })),
    expected: odd,
  },
  'wrong types': {
    what: 'numbers for texts and texts for numbers',
    act: changesData(wrongTypes),
    expected: {
      ...judged,
      'billing.balance': 'readable',
      'volumes.detach': 'readable',
      'sign-in by API token': 'whole',
    },
  },
  'array for object': {
    what: 'data in an array instead of an object',
    act: changesData((data) => (isObject(data) ? [data, data] : data)),
    expected: { ...records, 'sign-in by API token': 'whole', 'volumes.detach': 'readable' },
  },
  'object for array': {
    what: 'the records by their position instead of a list',
    act: changesData((data) => (Array.isArray(data) ? { ...data } : data)),
    expected: { all: 'whole', page: odd, whole: odd, paging: odd, 'sign-in by API token': odd },
  },
  'text for data': {
    what: 'data is a text',
    act: changesData(() => 'ok'),
    expected: { all: odd, silent: 'whole' },
  },
  'data absent': {
    what: 'an envelope without data',
    act: changes((answer) => ({ ...envelopeOf(answer), data: undefined })),
    expected: { all: odd, silent: 'whole', 'volumes.detach': 'readable' },
  },
  'data null': {
    what: 'data is null',
    act: changesData(() => null),
    expected: {
      all: odd,
      silent: 'whole',
      page: 'readable',
      whole: 'readable',
      paging: 'readable',
      'machines.metrics': 'readable',
      'volumes.detach': 'readable',
      'sign-in by API token': 'whole',
    },
  },
  'missing ids': {
    what: 'records without an id',
    act: changesData((data) => (Array.isArray(data) ? data.map(withoutId) : withoutId(data))),
    expected: {
      ...judged,
      'flavors.list': 'whole',
      'bareMetal.flavors': 'whole',
      'billing.balance': 'whole',
      'machines.metrics': 'whole',
      'volumes.detach': 'whole',
      'sign-in by password': 'whole',
      'sign-in by API token': 'whole',
    },
  },
  'duplicate ids': {
    what: 'every record twice',
    act: changesRecords((records) => records.flatMap((record) => [record, record])),
    expected: { all: 'whole', page: 'readable', whole: 'readable', paging: 'readable ×3' },
  },
  'total too large': {
    what: 'a total of a thousand more than there are',
    act: withTotal((total) => total + 1000),
    expected: unharmed,
  },
  'total zero': { what: 'a total of 0', act: withTotal(() => 0), expected: unharmed },
  'total as text': { what: 'a total in words', act: withTotal(String), expected: unharmed },
  'pages that repeat': {
    what: 'the first page for every other',
    act: async (exchange) => {
      const { status, body } = await exchange.pass((query) => {
        if (query.has('offset')) query.set('offset', '0')
      })
      reply(exchange, status, body)
    },
    expected: { all: 'whole', paging: 'readable ×7' },
  },
  '50 MB body': {
    what: "50 MiB, over the client's 64 KiB",
    act: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      let sent = 0
      const send = (): void => {
        while (sent < 50 * 16 && !response.destroyed) {
          sent += 1
          if (!response.write(spaces)) return void response.once('drain', send)
        }
        response.end('{"status":true}')
      }
      send()
    },
    sizeLimit,
    expected: odd,
  },
  '50 MB announced': {
    what: "a length of 50 MiB, over the client's 64 KiB",
    act: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50 * mebibyte })
      response.write(' ')
    },
    sizeLimit,
    expected: odd,
  },
  'gzip bomb': {
    what: "50 KiB that unpack to 50 MiB, over the client's 64 KiB",
    act: ({ response }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        connection: 'close',
      })
      response.end(bomb())
    },
    sizeLimit,
    expected: odd,
  },
  'damaged gzip': {
    what: 'a plain body that is declared as gzip',
    act: answers(200, '{"status":true}', { 'content-encoding': 'gzip' }),
    expected: odd,
  },
  'no UTF-8': {
    what: 'bytes that are no text',
    act: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      response.end(Buffer.from([0xff, 0xfe, 0x7b, 0x80, 0x7d]))
    },
    expected: odd,
  },
  'clock a day behind': {
    what: 'a Date of yesterday',
    act: async (exchange) => {
      const { status, body } = await exchange.pass()
      reply(exchange, status, body, { date: new Date(Date.now() - 86_400_000).toUTCString() })
    },
    expected: unharmed,
  },
  'clock a day ahead': {
    what: 'a Date of tomorrow',
    act: async (exchange) => {
      const { status, body } = await exchange.pass()
      reply(exchange, status, body, { date: new Date(Date.now() + 86_400_000).toUTCString() })
    },
    expected: unharmed,
  },
  'token expires': {
    what: 'after the first request HTTP 401, until a new sign-in',
    act: async (exchange) => {
      const { count, path, signedInAnew } = exchange
      if (count > 0 && !signedInAnew && path !== '/authenticate/login')
        return reply(exchange, 401, { status: false, message: 'The token has expired' })
      const { status, body } = await exchange.pass()
      reply(exchange, status, body)
    },
    expected: { all: 'whole', paging: 'whole ×6' },
  },
  'sign-out elsewhere': {
    what: 'HTTP 401 until a new sign-in',
    act: async (exchange) => {
      const { path, signedInAnew } = exchange
      if (!signedInAnew && path !== '/authenticate/login')
        return reply(exchange, 401, { status: false, message: 'The token has expired' })
      const { status, body } = await exchange.pass()
      reply(exchange, status, body)
    },
    expected: {
      all: 'whole ×3',
      paging: 'whole ×6',
      'sign-in by password': 'whole',
      'sign-in by API token': 'not-signed-in',
    },
  },
}
