import { createServer } from 'node:net'
import { once } from 'node:events'
import ssh2 from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { closed, connect, exec } from './fixtures/client'
import { hostKeyOf, makeMachine, startServer, type TestServer } from './fixtures/machines'
import { portOf } from './listener'
import { startSshServer } from './server'

const servers: TestServer[] = []
const start = async (...parameters: Parameters<typeof startServer>): Promise<TestServer> => {
  const server = await startServer(...parameters)
  servers.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('the addresses of machines', () => {
  const seven = makeMachine({ name: 'seven', address: '127.0.0.7' })
  const eight = makeMachine({ name: 'eight', address: '127.0.0.8' })
  const [one, two] = [
    makeMachine({ name: 'one', username: 'm-one' }),
    makeMachine({ name: 'two', username: 'm-two' }),
  ]

  const offeredKey = async (host: string, port: number): Promise<string> => {
    let offered = ''
    const client = await connect(port, {
      host,
      hostVerifier: (key: Buffer) => {
        offered = key.toString('base64')
        return true
      },
    })
    client.end()
    return offered
  }
  const publicPart = (privateKey: string): string => {
    const key = ssh2.utils.parseKey(privateKey)
    if (key instanceof Error) throw key
    return key.getPublicSSH().toString('base64')
  }

  it.skipIf(process.platform === 'darwin')(
    'may be dedicated, each with its own host key, on one port',
    async () => {
      const { port } = await start([seven, eight])
      expect(await offeredKey('127.0.0.7', port)).toBe(publicPart(hostKeyOf('127.0.0.7')))
      expect(await offeredKey('127.0.0.8', port)).toBe(publicPart(hostKeyOf('127.0.0.8')))
      const client = await connect(port, { host: '127.0.0.8' })
      expect((await exec(client, 'hostname')).stdout).toBe('eight\n')
      client.end()
    },
  )

  it('may be shared by several, distinguished by user name, each with its own disk', async () => {
    const { port } = await start([one, two])
    const [first, second] = [
      await connect(port, { username: 'm-one' }),
      await connect(port, { username: 'm-two' }),
    ]
    expect((await exec(first, 'hostname; touch mine; pwd')).stdout).toBe('one\n/home/m-one\n')
    expect((await exec(second, 'hostname; ls mine')).stdout).toBe('two\n')
    first.end()
    second.end()
  })

  it.skipIf(process.platform === 'darwin')(
    'follow the machines when they are added and removed',
    async () => {
      const server = await start([seven])
      const client = await connect(server.port, { host: '127.0.0.7' })
      const over = closed(client)
      server.machines = [eight]
      await Promise.all([server.refresh(), server.refresh()])
      await over
      await expect(connect(server.port, { host: '127.0.0.7' })).rejects.toThrow('ECONNREFUSED')
      const other = await connect(server.port, { host: '127.0.0.8' })
      expect((await exec(other, 'hostname')).stdout).toBe('eight\n')
      other.end()
    },
  )

  it('lose the connections of a machine that stops, and of no other', async () => {
    const server = await start([one, two])
    const [first, second] = [
      await connect(server.port, { username: 'm-one' }),
      await connect(server.port, { username: 'm-two' }),
    ]
    const over = closed(first)
    server.machines = [{ ...one, running: false }, two]
    await server.refresh()
    await over
    expect((await exec(second, 'hostname')).stdout).toBe('two\n')
    second.end()
  })

  it('lose the disk of a removed machine, even if another machine has its address', async () => {
    const server = await start([one])
    const client = await connect(server.port, { username: 'm-one' })
    await exec(client, 'touch secret')
    server.machines = [two, { ...one, id: 'another' }]
    await server.refresh()
    server.machines = [one]
    await server.refresh()
    const again = await connect(server.port, { username: 'm-one' })
    expect((await exec(again, 'ls secret')).status).toBe(2)
    again.end()
  })

  it('produce a readable error if they are unavailable', async () => {
    const elsewhere = makeMachine({ address: '192.0.2.1' })
    await expect(startServer([elsewhere])).rejects.toThrow(
      '192.0.2.1 is not an address of this computer; its machines must share 127.0.0.1',
    )
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = portOf(taken)
    await expect(startServer([makeMachine()], { port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use by another program`,
    )
    taken.close()
  })

  it('are all closed if one fails', async () => {
    const machines = [makeMachine(), makeMachine({ address: '192.0.2.1' })]
    const { port, close } = await startServer()
    await close()
    await expect(startServer(machines, { port })).rejects.toThrow('192.0.2.1')
    await start([makeMachine()], { port })
  })

  it('need a valid host key', async () => {
    const nonsense = { address: '127.0.0.1', hostKey: 'nonsense' }
    const options = { port: 0, now: () => 0, find: () => undefined, addresses: () => [nonsense] }
    await expect(startSshServer(options)).rejects.toThrow('a host key is not in a format that ssh2 reads')
  })
})
