import { answers, type Fault } from './wire'

const refusal = (message: string) => ({ status: false, message })
const refused = 'refused-by-service' as const
/** With pages of 100: one request for each smaller limit. */
const smaller = `${refused} ×6` as const

const words = 'Something is not as it should be'

/** A sign-in that the service understood and rejected is a refused sign-in. */
const turnedDown = { all: refused, signIn: 'not-signed-in' } as const
const badInput = { ...turnedDown, page: smaller, paging: `${refused} ×2` } as const

/** Statuses that are unrelated to the request. */
const passing = [408, 425, 500, 502, 503, 504, 507, 511]
const plain = [402, 403, 406, 409, 410, 412, 415, 418, 423, 451]
/** Statuses after which a page is requested with a smaller limit. */
const inputs = [400, 413, 416, 422]
/** Statuses by which a deployment reports a missing endpoint. */
const lacking = [404, 405, 501]

const statusFault = (status: number, expected: Fault['expected']): readonly [string, Fault] => [
  `HTTP ${String(status)}`,
  { what: 'status false and a message', act: answers(status, refusal(words)), expected },
]

const soon = { 'retry-after': '2' }
const later = { 'retry-after': '120' }
/** A date two minutes after sending. */
const atDate = (): Readonly<Record<string, string>> => ({
  'retry-after': new Date(Date.now() + 120_000).toUTCString(),
})
const limited = 'rate-limited'

/** Faults that consist of a status. */
export const statusFaults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries([
    ...passing.map((status) => statusFault(status, refused)),
    ...plain.map((status) => statusFault(status, turnedDown)),
    ...inputs.map((status) => statusFault(status, badInput)),
    ...lacking.map((status) => statusFault(status, { all: refused, capability: 'not-offered-by-service' })),
    statusFault(401, { all: 'not-signed-in ×2', signIn: 'not-signed-in' }),
    statusFault(429, limited),
  ]),
  'HTTP 401 in spite of a sign-in': {
    what: 'HTTP 401 for everything but a sign-in',
    act: async (exchange) => {
      if (exchange.path !== '/authenticate/login') return answers(401, refusal(words))(exchange)
      const { status, body } = await exchange.pass()
      return answers(status, body)(exchange)
    },
    expected: {
      all: 'not-signed-in ×4',
      'sign-in by password': 'whole',
      'sign-in by API token': 'not-signed-in',
    },
  },
  'HTTP 429 with seconds': {
    what: 'HTTP 429, Retry-After: 2, each time',
    act: answers(429, refusal(words), soon),
    expected: { all: `${limited} ×6`, change: limited, silent: limited, signIn: limited },
  },
  'HTTP 429 for minutes': {
    what: 'HTTP 429, Retry-After: 120',
    act: answers(429, refusal(words), later),
    expected: limited,
  },
  'HTTP 429 with a date': {
    what: 'HTTP 429, Retry-After as a date',
    act: (exchange) => answers(429, refusal(words), atDate())(exchange),
    expected: limited,
  },
  'HTTP 503 with seconds': {
    what: 'HTTP 503, Retry-After: 2, each time',
    act: answers(503, refusal(words), soon),
    expected: { all: `${limited} ×6`, change: refused, silent: refused, signIn: refused },
  },
  'HTTP 503 with a date': {
    what: 'HTTP 503, Retry-After as a date',
    act: (exchange) => answers(503, refusal(words), atDate())(exchange),
    expected: { all: limited, change: refused, silent: refused, signIn: refused },
  },
  'absurd Retry-After': {
    what: 'HTTP 429, Retry-After: ten years',
    act: answers(429, refusal(words), { 'retry-after': '315360000' }),
    expected: limited,
  },
  'bad gateway in HTML': {
    what: 'HTTP 502 with a page of HTML',
    act: answers(502, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }),
    expected: 'unexpected-answer',
  },
  'not found in HTML': {
    what: 'HTTP 404 with a page of HTML',
    act: answers(404, '<h1>Not found</h1>', { 'content-type': 'text/html' }),
    expected: { all: 'unexpected-answer', capability: 'unexpected-answer ×2' },
  },
  'status false': {
    what: 'HTTP 200, status false, with a message',
    act: answers(200, refusal(words)),
    expected: badInput,
  },
  'status false without words': {
    what: 'HTTP 200, status false, without a message',
    act: answers(200, { status: false }),
    expected: 'unexpected-answer',
  },
  'nested message': {
    what: 'HTTP 409, the message in data.error_reason',
    act: answers(409, { status: false, data: { error_reason: { message: words } } }),
    expected: turnedDown,
  },
  'credential in the message': {
    what: 'HTTP 409, the message quotes the credential that was sent',
    act: (exchange) => answers(409, refusal(`You sent ${exchange.credential}`))(exchange),
    expected: turnedDown,
  },
  'message as object': {
    what: 'HTTP 409, the message an object',
    act: answers(409, { status: false, message: { text: words } }),
    expected: 'unexpected-answer',
  },
  redirect: {
    what: 'HTTP 307 to another host',
    act: (exchange) => answers(307, '', { location: `${exchange.elsewhere}${exchange.path}` })(exchange),
    expected: 'unexpected-answer',
  },
  'permanent redirect': {
    what: 'HTTP 301 to another host',
    act: (exchange) => answers(301, '', { location: `${exchange.elsewhere}${exchange.path}` })(exchange),
    expected: 'unexpected-answer',
  },
}
