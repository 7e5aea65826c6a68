import ssh2, { type SignCallback } from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { connect, exec } from './fixtures/client'
import { makeKey, makeMachine, startServer, userKey, type TestServer } from './fixtures/machines'

const servers: TestServer[] = []
const start = async (...parameters: Parameters<typeof startServer>): Promise<TestServer> => {
  const server = await startServer(...parameters)
  servers.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Offers the machine's own public key, and signs with another. */
class LyingAgent extends ssh2.BaseAgent {
  getIdentities(answer: (error: undefined, keys: string[]) => void): void {
    answer(undefined, [userKey.public])
  }
  sign(_key: unknown, data: Buffer, _options: unknown, answer?: SignCallback): void {
    const key = ssh2.utils.parseKey(makeKey().private)
    if (key instanceof Error) throw key
    answer?.(undefined, key.sign(data))
  }
}

const refused = /All configured authentication methods failed/

describe('authentication', () => {
  it('succeeds with the key of the machine’s creation', async () => {
    const { port } = await start()
    const client = await connect(port)
    expect((await exec(client, 'hostname')).stdout).toBe('train-llama-01\n')
    client.end()
  })

  it.each(['rsa', 'ecdsa'] as const)('supports keys of type %s', async (type) => {
    const pair =
      type === 'rsa'
        ? ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
        : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    const { port } = await start([makeMachine({ publicKey: `${pair.public} a comment` })])
    const client = await connect(port, { privateKey: pair.private })
    expect((await exec(client, 'whoami')).stdout).toBe('ubuntu\n')
    client.end()
  })

  it('is refused with another key', async () => {
    const { port } = await start()
    await expect(connect(port, { privateKey: makeKey().private })).rejects.toThrow(refused)
  })

  it('is refused with the public key and a wrong signature', async () => {
    const { port } = await start()
    const attempt = connect(port, { agent: new LyingAgent(), authHandler: ['agent'] })
    await expect(attempt).rejects.toThrow(refused)
  })

  it.each(['password', 'keyboard-interactive', 'none'] as const)('is refused with %s', async (method) => {
    const { port } = await start()
    const attempt = connect(port, { password: 'secret', tryKeyboard: true, authHandler: [method] })
    await expect(attempt).rejects.toThrow(refused)
  })

  it('is refused for an unknown user name', async () => {
    const { port } = await start()
    await expect(connect(port, { username: 'root' })).rejects.toThrow(refused)
  })

  it('is refused if the key of the machine is malformed', async () => {
    const { port } = await start([makeMachine({ publicKey: 'ssh-ed25519 AAAA' })])
    await expect(connect(port)).rejects.toThrow(refused)
  })

  it('is refused while the machine is stopped', async () => {
    const { port } = await start([makeMachine({ running: false })])
    await expect(connect(port)).rejects.toThrow()
  })

  it('has a limited number of attempts', async () => {
    const { port } = await start([makeMachine()], { limits: { attempts: 3 } })
    let offered = 0
    const wrong = { type: 'publickey', username: 'ubuntu', key: makeKey().private } as const
    const attempt = connect(port, {
      authHandler: (_left, _partial, next) => {
        offered += 1
        next(wrong)
      },
    })
    await expect(attempt).rejects.toThrow('closed')
    expect(offered).toBeLessThan(5)
  })
})
