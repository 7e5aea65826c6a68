import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { webhookServer } from '../../../test/fixtures/webhook-server'
import type { WebhookKind } from '#shared/bridge/notification'
import { FailureError } from '#shared/failure'
import type { Transport } from '../service/transport'
import type { Message } from './message'
import { maskedHost, readWebhook, sendWebhook, webhookRequest } from './webhook'

const now = 1_780_000_000
const transport = (changes: Partial<Transport> = {}): Transport => ({
  fetch,
  online: () => true,
  now: () => now,
  timeoutSeconds: 10,
  maxAnswerBytes: 1_000,
  ...changes,
})
const message: Message = {
  kind: 'idle',
  title: '<!channel> @everyone *gpu* & "x"',
  body: 'first [line](https://evil.example)\nsecond line',
  at: now,
  isUrgent: false,
}
const secretPath = '/services/T0ABCDEF/B0GHIJKL/sEcReTtOkEn'
const outcomeOf = async (answer: RequestListener, kind: WebhookKind = 'slack', limits = {}) => {
  const server = await webhookServer(answer)
  const webhook = { kind, url: `${server.url}${secretPath}` }
  const outcome = await sendWebhook(transport(limits), webhook, message)
  expect(JSON.stringify(outcome)).not.toMatch(/T0ABCDEF|B0GHIJKL|sEcReT/)
  expect(server.received).toHaveLength(1)
  return outcome
}
const status =
  (code: number, text = '', headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end(text)

describe('the address of a webhook', () => {
  const reasonOf = (kind: WebhookKind, typed: string, loopbackOnly = false): string => {
    try {
      return readWebhook(kind, typed, loopbackOnly).url
    } catch (error) {
      if (error instanceof FailureError && error.failure.kind === 'invalid-input') return error.failure.reason
      throw error
    }
  }
  it.each([
    ['json', '  ', 'required'],
    ['json', 'hooks', 'not-a-url'],
    ['json', 'file:///etc/passwd', 'not-a-url'],
    ['json', 'http://hooks.example.com/x', 'insecure-url'],
    ['json', ' http://localhost:8080/x ', 'http://localhost:8080/x'],
    ['slack', 'https://hooks.slack.com/services/T/B/x', 'https://hooks.slack.com/services/T/B/x'],
    ['ntfy', 'https://ntfy.sh', 'malformed'],
    ['ntfy', 'https://ntfy.sh/two words', 'malformed'],
    ['ntfy', 'https://ntfy.sh/my-topic', 'https://ntfy.sh/my-topic'],
  ] as const)('%s: %j is read as %s', (kind, typed, expected) => {
    expect(reasonOf(kind, typed)).toBe(expected)
  })

  it('is on this computer in a build that only connects to it', () => {
    expect(reasonOf('json', 'https://hooks.example.com/x', true)).toBe('loopback-only')
    expect(reasonOf('json', 'http://127.0.0.1:1/x', true)).toBe('http://127.0.0.1:1/x')
  })

  it.each([
    ['https://hooks.slack.com/services/T/B/x', '•••.slack.com'],
    ['https://e0abc.m.pipedream.net/', '•••.pipedream.net'],
    ['https://ntfy.sh/topic', 'ntfy.sh'],
    ['https://192.0.2.7/x', '•••'],
    ['https://[2001:db8::1]/x', '•••'],
    ['http://127.0.0.1:8080/x', '127.0.0.1:8080'],
  ])('%s is shown as %s', (address, place) => {
    expect(maskedHost(address)).toBe(place)
  })
})

describe('a message', () => {
  it('for Slack has no markup and no mentions', async () => {
    const { received, url } = await webhookServer()
    expect(await sendWebhook(transport(), { kind: 'slack', url: `${url}${secretPath}` }, message)).toEqual({
      kind: 'sent',
    })
    expect(received).toMatchObject([
      {
        method: 'POST',
        path: secretPath,
        headers: { 'content-type': 'application/json' },
        body: {
          text: '&lt;!channel&gt; @everyone *gpu* &amp; "x"\nfirst [line](https://evil.example)\nsecond line',
          mrkdwn: false,
          link_names: false,
        },
      },
    ])
  })

  it('for Discord allows no mentions, escapes markdown, and waits for its confirmation', async () => {
    const { received, url } = await webhookServer(status(200, '{"id":"1"}'))
    const webhook = { kind: 'discord', url: `${url}/api/webhooks/1/token?thread_id=2` } as const
    expect(await sendWebhook(transport(), webhook, message)).toEqual({ kind: 'sent' })
    expect(received).toMatchObject([
      {
        path: '/api/webhooks/1/token?thread_id=2&wait=true',
        body: {
          content:
            '\\<!channel\\> \\@everyone \\*gpu\\* & "x"\nfirst \\[line\\]\\(https://evil.example\\)\nsecond line',
          allowed_mentions: { parse: [] },
          flags: 4,
        },
      },
    ])
    const { body } = webhookRequest(webhook, { ...message, body: '*'.repeat(5_000) })
    expect(Reflect.get(body, 'content')).toHaveLength(2_000)
  })

  it('for ntfy is JSON at the root, with the topic in the body, and signs in with a header', async () => {
    const { received, url } = await webhookServer(status(200, '{"id":"1"}'))
    const address = `${url.replace('://', '://:tk_s%40cret@')}/base/alerts?auth=abc`
    const titled = { ...message, title: 'Zürich 训练\nX-Evil: 1', isUrgent: true }
    expect(await sendWebhook(transport(), { kind: 'ntfy', url: address }, titled)).toEqual({ kind: 'sent' })
    expect(received).toMatchObject([
      {
        path: '/base/?auth=abc',
        headers: { authorization: `Basic ${Buffer.from(':tk_s@cret').toString('base64')}` },
        body: { topic: 'alerts', title: titled.title, message: message.body, priority: 4 },
      },
    ])
  })

  it.each(['训', 'é', '🚀', 'x'])('for ntfy is cut to 4,000 bytes between characters: %s', (character) => {
    const webhook = { kind: 'ntfy', url: 'https://ntfy.sh/alerts' } as const
    const { body } = webhookRequest(webhook, { ...message, body: character.repeat(5_000) })
    const text = String(Reflect.get(body, 'message'))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000)
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_990)
    expect(text.replaceAll(character, '')).toBe('…')
  })

  it('for other programs is a documented object', async () => {
    const { received, url } = await webhookServer(status(204))
    expect(await sendWebhook(transport(), { kind: 'json', url: `${url}/?a=b%2Fc` }, message)).toEqual({
      kind: 'sent',
    })
    expect(received).toMatchObject([
      {
        path: '/?a=b%2Fc',
        body: {
          application: 'Wheelhouse',
          kind: 'idle',
          title: message.title,
          body: message.body,
          time: '2026-05-28T20:26:40.000Z',
          urgent: false,
        },
      },
    ])
  })
})

describe('an answer', () => {
  it.each([
    [
      '404 with Slack’s code',
      status(404, 'no_service'),
      { kind: 'refused', status: 404, message: 'no_service' },
    ],
    [
      '401 of Discord',
      status(401, '{"message":"Invalid Webhook Token","code":50027}'),
      { kind: 'refused', status: 401, message: 'Invalid Webhook Token' },
    ],
    [
      '403 of ntfy',
      status(403, '{"code":40301,"http":403,"error":"forbidden"}'),
      { kind: 'refused', status: 403, message: 'forbidden' },
    ],
    [
      '400 without a reason',
      status(400, 'Oops!\n at line 1'),
      { kind: 'refused', status: 400, message: null },
    ],
    ['408', status(408, 'timeout'), { kind: 'unconfirmed', status: 408 }],
    [
      '502 of a gateway, as a page',
      status(502, '<html>Bad Gateway</html>'),
      { kind: 'unconfirmed', status: 502 },
    ],
    [
      'an error that repeats the address',
      status(404, JSON.stringify({ message: `Cannot POST ${secretPath}` })),
      { kind: 'refused', status: 404, message: null },
    ],
    [
      'an error that repeats the address at its cut',
      status(404, JSON.stringify({ message: `${'x'.repeat(180)} /services/T0ABCDEF/B0GHIJKL/sEcReTtOkEn` })),
      { kind: 'refused', status: 404, message: null },
    ],
    [
      'an error that repeats the address in other letters',
      status(404, JSON.stringify({ message: 'no such hook: SECRETTOKEN' })),
      { kind: 'refused', status: 404, message: null },
    ],
    ['429 with a pause', status(429, '', { 'retry-after': '12.5' }), { kind: 'busy', retryAfter: 13 }],
    [
      '429 with a date',
      status(429, '', { 'retry-after': new Date((now + 30) * 1000).toUTCString() }),
      { kind: 'busy', retryAfter: 30 },
    ],
    ['429 without a pause', status(429), { kind: 'busy', retryAfter: null }],
    [
      'a web page, as of a network that asks for a sign-in',
      status(200, '<!DOCTYPE html><html>Sign in</html>', { 'content-type': 'text/html' }),
      { kind: 'web-page', status: 200 },
    ],
    ['text that is declared as HTML', status(200, 'ok', { 'content-type': 'text/html' }), { kind: 'sent' }],
    ['a redirect', status(302, '', { location: 'http://127.0.0.1:1/other' }), { kind: 'redirected' }],
  ] as const)('%s', async (_name, answer, expected) => {
    expect(await outcomeOf(answer)).toEqual(expected)
  })

  it('with a web page counts as received if its status is a success', async () => {
    expect(await outcomeOf(status(200, '<html>Thanks</html>'), 'json')).toEqual({ kind: 'sent' })
    expect(await outcomeOf(status(404, '<html>Nothing</html>'), 'json')).toEqual({
      kind: 'web-page',
      status: 404,
    })
  })

  it('that never ends leaves the outcome unknown', async () => {
    const endless: RequestListener = (_request, response) => void response.writeHead(200).write('o')
    expect(await outcomeOf(endless, 'slack', { timeoutSeconds: 0.2 })).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'timed-out' },
    })
  })

  it('that never begins leaves the outcome unknown', async () => {
    expect(await outcomeOf(() => undefined, 'json', { timeoutSeconds: 0.2 })).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'timed-out' },
    })
  })

  it('that is too large is not read to its end', async () => {
    expect(await outcomeOf(status(200, 'x'.repeat(5_000)))).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'unexpected-answer' },
    })
  })

  it('that breaks off leaves the outcome unknown', async () => {
    expect(await outcomeOf((request) => void request.socket.destroy())).toMatchObject({ kind: 'unknown' })
  })
})

it('a target that cannot be reached got nothing, and its host is masked', async () => {
  const server = await webhookServer()
  server.close()
  expect(await sendWebhook(transport(), { kind: 'json', url: `${server.url}/x` }, message)).toMatchObject({
    kind: 'failed',
    failure: { kind: 'cannot-connect', reason: 'ECONNREFUSED' },
  })
  const away = transport({ online: () => false })
  expect(await sendWebhook(away, { kind: 'json', url: 'https://a.example.com/x' }, message)).toEqual({
    kind: 'failed',
    failure: { kind: 'offline' },
  })
  const broken = transport({
    fetch: () => Promise.reject(new Error('net::ERR_CONNECTION_RESET https://e0abc.example.com/x')),
  })
  expect(await sendWebhook(broken, { kind: 'json', url: 'https://e0abc.example.com/x' }, message)).toEqual({
    kind: 'unknown',
    failure: { kind: 'cannot-connect', host: '•••.example.com', reason: 'ERR_CONNECTION_RESET' },
  })
})

it('a redirect that Electron refuses to follow is named', async () => {
  const redirecting = transport({ fetch: () => Promise.reject(new Error('Redirect was cancelled')) })
  const webhook = { kind: 'json', url: 'https://a.example.com/x' } as const
  expect(await sendWebhook(redirecting, webhook, message)).toEqual({ kind: 'redirected' })
})
