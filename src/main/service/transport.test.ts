import { afterEach, describe, expect, it } from 'vitest'
import { type Transport, send, type HttpRequest } from './transport'
import {
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
} from '../../../test/fixtures/scripted-server'

const transport: Transport = {
  fetch,
  online: () => true,
  now: () => Date.now() / 1000,
  timeoutSeconds: 10,
  maxAnswerBytes: 100_000,
}

const servers: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const serve = async (answer: ScriptedAnswer, tls = false): Promise<ScriptedServer> => {
  const server = await startScriptedServer(() => answer, { tls })
  servers.push(server)
  return server
}

const request = (baseUrl: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  baseUrl,
  method: 'GET',
  path: '/things',
  ...more,
})

const hostOf = (baseUrl: string): string => new URL(baseUrl).host

describe('a request while the system reports no network', () => {
  const offline = (method: HttpRequest['method']) => {
    let sent = 0
    const fetchOffline: typeof fetch = () => {
      sent += 1
      return Promise.reject(new TypeError('fetch failed'))
    }
    const failed = send(
      { ...transport, fetch: fetchOffline, online: () => false },
      request('https://api.example.com', { method }),
    ).catch((error: unknown) => error)
    return { failed, sent: () => sent }
  }

  it('that changes something is not sent, and reports that', async () => {
    const { failed, sent } = offline('POST')
    expect(await failed).toMatchObject({ failure: { kind: 'offline' }, nothingSent: true })
    expect(sent()).toBe(0)
  })

  it('that only reads is tried all the same', async () => {
    const { failed, sent } = offline('GET')
    expect(await failed).toMatchObject({ failure: { kind: 'offline' }, nothingSent: false })
    expect(sent()).toBe(1)
  })
})

describe('a request', () => {
  it('is sent as JSON with its headers, without undefined query values and without cookies', async () => {
    const server = await serve({ body: 'text', headers: { 'set-cookie': 'session=1; Path=/' } })
    const exchange = request(server.baseUrl, {
      method: 'POST',
      query: { limit: 2, filters: '[{"val":"a b&c"}]', sortField: undefined },
      headers: { authorization: 'Bearer x' },
      body: { name: 'é' },
    })
    await send(transport, exchange)
    await send(transport, exchange)
    const seen = server.seen[1]
    expect(seen).toMatchObject({ method: 'POST', body: '{"name":"é"}' })
    expect(Object.fromEntries(new URL(seen?.url ?? '', server.baseUrl).searchParams)).toEqual({
      limit: '2',
      filters: '[{"val":"a b&c"}]',
    })
    expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer x' })
    expect(seen?.headers).not.toHaveProperty('cookie')
  })

  it.each([408, 425, 429, 500, 502, 503, 504])(
    'is sent once, even if the service answers %i',
    async (status) => {
      const server = await serve({ status, body: { status: false, message: 'busy' } })
      const answer = await send(transport, request(server.baseUrl))
      expect(answer).toMatchObject({ status, text: '{"status":false,"message":"busy"}' })
      expect(server.seen).toHaveLength(1)
    },
  )

  it('is sent once if the connection breaks', async () => {
    const server = await serve({ then: 'reset' })
    for (const method of ['GET', 'POST'] as const) {
      await expect(send(transport, request(server.baseUrl, { method }))).rejects.toMatchObject({
        failure: { kind: 'cannot-connect', host: hostOf(server.baseUrl) },
      })
    }
    expect(server.seen).toHaveLength(2)
  })

  it('uses a new connection if it changes something and the transport offers one', async () => {
    const server = await serve({ body: 'text' })
    const used: string[] = []
    const freshFetch = () => {
      used.push('fresh')
      return Promise.resolve({ fetch, done: () => used.push('done') })
    }
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      used.push(method)
      await send({ ...transport, freshFetch }, request(server.baseUrl, { method }))
    }
    await server.close()
    used.push('closed')
    await expect(
      send({ ...transport, freshFetch }, request(server.baseUrl, { method: 'POST' })),
    ).rejects.toThrow()
    const own = ['fresh', 'done']
    expect(used).toEqual(['GET', 'POST', ...own, 'PUT', ...own, 'DELETE', ...own, 'closed', ...own])
  })

  it('does not follow a redirect, so that credentials go nowhere else', async () => {
    const elsewhere = await serve({ body: { status: true } })
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve({ status, headers: { location: `${elsewhere.baseUrl}/stolen?a=b` } })
      const answer = await send(
        transport,
        request(server.baseUrl, { headers: { authorization: 'Bearer x' } }),
      )
      expect(answer).toMatchObject({ status, redirectsTo: elsewhere.baseUrl })
    }
    expect(elsewhere.seen).toEqual([])
  })
})

describe('a request that takes too long', () => {
  it.each(['hang', 'stall'] as const)('times out if the service does %s', async (then) => {
    const server = await serve({ then, body: 'a body that never ends' })
    await expect(send({ ...transport, timeoutSeconds: 0.2 }, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'timed-out', host: hostOf(server.baseUrl), seconds: 0.2 },
    })
  })

  it('does not time out while the user signs in to a proxy', async () => {
    const server = await serve({ then: 'hang' })
    let asked = 0
    const heldUntil = (): number => ((asked += 1) < 3 ? Infinity : 0)
    const held = { ...transport, timeoutSeconds: 0.05, heldUntil }
    await expect(send(held, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'timed-out' },
    })
    expect(asked).toBe(3)
  })

  it('has its whole timeout again after the user has answered', async () => {
    const server = await serve({ then: 'hang' })
    const answers = [Infinity, 1_000 - 0.02, 0]
    const held = {
      ...transport,
      timeoutSeconds: 0.05,
      now: () => 1_000,
      heldUntil: () => answers.shift() ?? 0,
    }
    await expect(send(held, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'timed-out' },
    })
    expect(answers).toEqual([])
  })

  it('times out even if the clock was set back after the user answered', async () => {
    const server = await serve({ then: 'hang' })
    const held = { ...transport, timeoutSeconds: 0.05, now: () => 1_000, heldUntil: () => 1_000 + 86_400 }
    await expect(send(held, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'timed-out' },
    })
  })

  it.each(['hang', 'stall'] as const)('can be cancelled while the service does %s', async (then) => {
    const controller = new AbortController()
    const server = await startScriptedServer(() => {
      setImmediate(() => controller.abort())
      return { then, body: 'a body that never ends' }
    })
    servers.push(server)
    await expect(
      send(transport, request(server.baseUrl, { signal: controller.signal })),
    ).rejects.toMatchObject({
      failure: { kind: 'cancelled' },
    })
    await expect(
      send(transport, request(server.baseUrl, { signal: controller.signal })),
    ).rejects.toMatchObject({
      failure: { kind: 'cancelled' },
    })
    expect(server.seen).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('above the size limit is rejected, announced or not', async () => {
    const body = 'x'.repeat(transport.maxAnswerBytes + 1)
    const tooLarge = { failure: { kind: 'unexpected-answer', received: 'a larger answer' } }
    for (const headers of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
      const server = await serve({ body, headers })
      await expect(send(transport, request(server.baseUrl))).rejects.toMatchObject(tooLarge)
    }
    const fits = await serve({ body: body.slice(1) })
    expect((await send(transport, request(fits.baseUrl))).text).toHaveLength(transport.maxAnswerBytes)
  })

  it('that announces too much is cut off by closing the connection', async () => {
    let isEnded = false
    const body = new ReadableStream({ cancel: () => void (isEnded = true) })
    const headers = { 'content-length': String(transport.maxAnswerBytes + 1) }
    const answering: typeof fetch = () => Promise.resolve(new Response(body, { headers }))
    const sent = send({ ...transport, fetch: answering }, request('https://api.example.com'))
    await expect(sent).rejects.toMatchObject({ failure: { kind: 'unexpected-answer' } })
    expect(isEnded).toBe(true)
  })

  it('is missing if nothing listens', async () => {
    const server = await serve({})
    await server.close()
    await expect(send(transport, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'cannot-connect', host: hostOf(server.baseUrl), reason: 'ECONNREFUSED' },
    })
  })

  it('with an untrusted certificate is rejected', async () => {
    const server = await serve({ body: { status: true } }, true)
    await expect(send(transport, request(server.baseUrl))).rejects.toMatchObject({
      failure: { kind: 'untrusted-certificate', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(server.seen).toEqual([])
  })
})
