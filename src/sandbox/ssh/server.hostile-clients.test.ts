import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closed, connect, exec, finished, forward, openExec } from './fixtures/client'
import { makeMachine, startServer, type TestServer } from './fixtures/machines'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const restart = async (limits: NonNullable<Parameters<typeof startServer>[1]>['limits']): Promise<void> => {
  await server.close()
  server = await startServer([makeMachine()], { ...(limits && { limits }) })
}
const open = async (): Promise<Socket> => {
  const socket = connectSocket(server.port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  socket.resume()
  await once(socket, 'connect')
  return socket
}
const stillServes = async (): Promise<void> => {
  const client = await connect(server.port)
  expect((await exec(client, 'echo alive')).stdout).toBe('alive\n')
  client.end()
}

describe('a client that does not speak SSH', () => {
  it('is disconnected, and other clients are served', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 })
    const greeting = fc.constantFrom('', 'SSH-2.0-x\r\n', 'SSH-1.5-x\r\n', 'GET / HTTP/1.1\r\n\r\n')
    await fc.assert(
      fc.asyncProperty(greeting, bytes, async (text, rest) => {
        const socket = await open()
        const over = once(socket, 'close')
        socket.end(Buffer.concat([Buffer.from(text), rest]))
        await over
      }),
      { numRuns: 60 },
    )
    await stillServes()
  })

  it('is disconnected if it does not log in', async () => {
    await restart({ authenticationTimeoutMs: 100 })
    for (const text of ['', 'SSH-2.0-slow\r\n']) {
      const socket = await open()
      socket.write(text)
      await once(socket, 'close')
    }
  })

  it('cannot use more connections than the limit', async () => {
    await restart({ unauthenticated: 2 })
    const waiting = [await open(), await open()]
    const third = await open()
    await once(third, 'close')
    const gone = once(waiting[0] ?? third, 'close')
    waiting[0]?.destroy()
    await gone
    await stillServes()
    waiting[1]?.destroy()
  })
})

describe('an authenticated client', () => {
  it('is disconnected if it is idle', async () => {
    await restart({ idleTimeoutMs: 100 })
    const client = await connect(server.port)
    const over = closed(client)
    await exec(client, 'true')
    await over
  })

  it('cannot open more channels than the limit', async () => {
    await restart({ channels: 2 })
    const client = await connect(server.port)
    const channels = [await openExec(client, 'cat'), await openExec(client, 'cat')]
    await expect(openExec(client, 'cat')).rejects.toThrow('Channel open failure')
    const [first] = channels
    if (first) {
      const done = finished(first)
      first.end()
      await done
    }
    expect((await exec(client, 'echo again')).stdout).toBe('again\n')
    client.end()
  })

  it('gets a closed channel for malformed SFTP', async () => {
    const client = await connect(server.port)
    const channel = await new Promise<Awaited<ReturnType<typeof openExec>>>((resolve, reject) => {
      client.subsys('sftp', (error, opened) => {
        if (error) reject(error)
        else resolve(opened)
      })
    })
    const done = finished(channel)
    channel.write(Buffer.alloc(64, 0xff))
    expect((await done).status).toBe(1)
    await stillServes()
    client.end()
  })

  it('may disconnect at any time', async () => {
    const client = await connect(server.port)
    await exec(client, 'cat > big', 'x'.repeat(3_000_000))
    const channel = await openExec(client, 'cat big big big big')
    await once(channel, 'data')
    client.destroy()
    await stillServes()
  })
})

describe('the Jupyter page', () => {
  const ask = async (request: string, port = 8888, host = 'localhost'): Promise<string> => {
    const client = await connect(server.port)
    try {
      const channel = await forward(client, host, port)
      const done = finished(channel)
      channel.write(request)
      return (await done).stdout
    } finally {
      client.end()
    }
  }
  const get = (path: string) => ask(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)

  it('is reached through a tunnel and names the machine', async () => {
    const page = await get('/')
    expect(page).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(page).toContain('<h1>train-llama-01</h1>')
    expect(page).toContain('2 x NVIDIA H100 80GB SXM')
    expect(await get('/api?x=1')).toContain('"version"')
    expect(await get('/none')).toMatch(/^HTTP\/1\.1 404/)
  })

  it('shows the machine’s name as text', async () => {
    await server.close()
    server = await startServer([makeMachine({ gpu: '<script>alert(1)</script>' })])
    expect(await get('/')).not.toContain('<script>')
  })

  it.each([
    ['another port', 22, 'localhost'],
    ['another machine', 8888, '10.0.0.1'],
    ['the service of the sandbox', 80, '127.0.0.1'],
  ])('is the only target of a tunnel, not %s', async (_what, port, host) => {
    await expect(ask('', port, host)).rejects.toThrow('Channel open failure')
  })

  it.each([
    'GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST / HTTP/1.0\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x00\x01\x02\r\n\r\n',
  ])('survives %j', async (request) => {
    await ask(request)
    await stillServes()
  })
})
