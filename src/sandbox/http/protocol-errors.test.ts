import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'

const ErrorEnvelope = z.strictObject({
  status: z.literal(false),
  message: z.string().min(1),
  data: z.strictObject({ field: z.string().optional() }),
})

describe('the sandbox as an HTTP server', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())
  afterEach(() => void vi.restoreAllMocks())

  const port = () => Number(new URL(sandbox.baseUrl).port)
  const authorization = () => `Authorization: Bearer ${sandbox.apiToken}`
  /** Sends bytes over a new connection and reads until the server closes it. */
  const sendRaw = async (...lines: readonly string[]) => {
    const socket = connect(port(), '127.0.0.1')
    socket.write(lines.join('\r\n'))
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    await once(socket, 'close')
    const [head = '', ...body] = text.split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') }
  }
  const expectEnvelope = async (status: number, ...lines: readonly string[]) => {
    const response = await sendRaw(...lines)
    expect(response.status).toBe(status)
    expect(response.head).toMatch(/content-type: application\/json/i)
    return ErrorEnvelope.parse(JSON.parse(response.body))
  }
  const runningMachine = async () => {
    const Machines = z.array(z.object({ id: z.string(), status: z.string() }))
    const machines = await sandbox.read(Machines, '/virtual-machines')
    const running = machines.find(({ status }) => status === 'running')
    if (running === undefined) throw new Error('the seed data has a running machine')
    return running.id
  }
  const statusOf = async (id: string) =>
    (await sandbox.read(z.object({ status: z.string() }), `/virtual-machines/${id}`)).status

  it.each(['start', 'stop', 'reboot'])('answers HEAD on %s with 405 and changes nothing', async (action) => {
    const id = await runningMachine()
    await sandbox.control('PUT', `/machines/${id}/status`, {
      status: action === 'start' ? 'stopped' : 'running',
    })
    const before = await statusOf(id)
    const response = await fetch(`${sandbox.baseUrl}/virtual-machines/${id}/${action}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${sandbox.apiToken}` },
    })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET')
    expect(await statusOf(id)).toBe(before)
    await sandbox.control('PUT', `/machines/${id}/status`, { status: 'running' })
  })

  it('answers HEAD like GET if nothing changes', async () => {
    const response = await fetch(`${sandbox.baseUrl}/virtual-machines`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${sandbox.apiToken}` },
    })
    expect(response.status).toBe(200)
  })

  describe('answers with an envelope', () => {
    it('a space in the path', async () => {
      await expectEnvelope(400, 'GET /api/v1/virtual machines HTTP/1.1', 'Host: localhost', '', '')
    })

    it('headers over the limit', async () => {
      const header = `X-Long: ${'x'.repeat(20_000)}`
      await expectEnvelope(431, 'GET /api/v1/regions HTTP/1.1', 'Host: localhost', header, '', '')
    })

    it('a request without a Host header', async () => {
      await expectEnvelope(400, 'GET /api/v1/regions HTTP/1.1', 'Connection: close', '', '')
    })

    it('an invalid Host header', async () => {
      await expectEnvelope(400, 'GET /api/v1/regions HTTP/1.1', 'Host: a b', 'Connection: close', '', '')
    })

    it('an invalid path', async () => {
      await expectEnvelope(400, 'OPTIONS * HTTP/1.1', 'Host: localhost', 'Connection: close', '', '')
    })

    it('an unknown method', async () => {
      await expectEnvelope(400, 'FETCH /api/v1/regions HTTP/1.1', 'Host: localhost', '', '')
    })

    it.each(['TRACE', 'CONNECT'])('the method %s', async (method) => {
      const target = method === 'CONNECT' ? 'example.com:443' : '/api/v1/regions'
      await expectEnvelope(
        405,
        `${method} ${target} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        '',
        '',
      )
    })

    it('an expectation that cannot be met', async () => {
      const expectation = 'Expect: 200-maybe'
      await expectEnvelope(417, 'GET /api/v1/regions HTTP/1.1', 'Host: localhost', expectation, '', '')
    })

    it('a malformed chunk', async () => {
      await expectEnvelope(
        400,
        'POST /api/v1/volumes HTTP/1.1',
        'Host: localhost',
        authorization(),
        'Transfer-Encoding: chunked',
        '',
        'not a length',
        '',
      )
    })
  })

  it('keeps serving after a request that is not valid HTTP', async () => {
    await sendRaw('nonsense', '', '')
    expect((await sandbox.ask('GET', '/regions')).code).toBe(200)
  })

  it('prints nothing when a client aborts', async () => {
    const outputs = [
      vi.spyOn(process.stderr, 'write').mockReturnValue(true),
      vi.spyOn(console, 'error').mockReturnValue(),
      vi.spyOn(console, 'info').mockReturnValue(),
    ]
    const abort = async (...lines: readonly string[]) => {
      const socket = connect(port(), '127.0.0.1')
      await once(socket, 'connect')
      await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()))
      // The service answers another request, so it has begun to handle this one.
      await sandbox.ask('GET', '/regions')
      socket.resetAndDestroy()
      await sandbox.ask('GET', '/regions')
    }
    const head = ['Host: localhost', authorization()]
    await abort('POST /api/v1/volumes HTTP/1.1', ...head, 'Content-Length: 500', '', '{"display_')
    await abort('POST /api/v1/volumes HTTP/1.1', ...head, 'Transfer-Encoding: chunked', '', '5', '{"dis', '')
    await abort('GET /api/v1/billing/resources/statements?limit=1000 HTTP/1.1', ...head, '', '')
    await sandbox.control('POST', '/faults', { kind: 'delay', milliseconds: 50, path: '/volumes' })
    await abort('GET /api/v1/volumes HTTP/1.1', ...head, '', '')
    for (const output of outputs) expect(output).not.toHaveBeenCalled()
  })

  it.each(['gzip', 'br', 'deflate, gzip', 'made-up'])(
    'refuses a body with the Content-Encoding %s',
    async (encoding) => {
      const response = await fetch(`${sandbox.baseUrl}/volumes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.apiToken}`, 'content-encoding': encoding },
        body: new Uint8Array(gzipSync('{}')),
      })
      expect(response.status).toBe(415)
      expect(ErrorEnvelope.parse(await response.json()).message).toContain(encoding)
    },
  )

  it('accepts the Content-Encoding identity', async () => {
    const headers = { authorization: `Bearer ${sandbox.apiToken}`, 'content-encoding': 'identity' }
    expect(await sandbox.ask('POST', '/api-tokens', { name: 'plain' }, headers)).toMatchObject({ code: 200 })
  })

  it('refuses a body that is not UTF-8', async () => {
    const response = await fetch(`${sandbox.baseUrl}/api-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiToken}` },
      body: new Uint8Array([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]),
    })
    expect(response.status).toBe(400)
  })
})
