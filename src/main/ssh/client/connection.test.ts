import { EventEmitter, once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import ssh2, { type ServerChannel } from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readFrame } from '#shared/command-frame'
import { announce } from '../../../../test/faults/ssh/fault-server'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey as makeKeyFile, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { telemetryHarness } from '../../../../test/fixtures/telemetry-harness'
import { hostKeyOf } from './host-key'
import { askHostKey } from './host-key-check'
import { openConnection } from './connection'
import { connectionLimits, type ConnectionTarget } from './target'
import type { OfferedKey } from './offered-keys'

/** A key as ssh2 reads it. */
function parsed(text: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(text)
  return key instanceof Error ? expect.fail(key.message) : key
}

const newKey = (username: string, name: string): OfferedKey => ({
  name,
  method: {
    type: 'publickey',
    username,
    key: parsed(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private),
  },
})

const targetAt = (port: number, known: ConnectionTarget['known']): ConnectionTarget => ({
  user: 'ubuntu',
  host: '127.0.0.1',
  port,
  known,
  keys: [newKey('ubuntu', 'key')],
})

function portOf(server: Pick<Server, 'address'>): number {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : expect.fail()
}

/** A server that lets everybody connect and says nothing. */
async function silentServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined).resume()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  return {
    port: portOf(server),
    /** The connection of this number, from 1, once it is there. */
    connection: async (number: number): Promise<Socket> => {
      for (;;) {
        const found = sockets[number - 1]
        if (found) return found
        await once(server, 'connection')
      }
    },
  }
}

/** A server that admits everybody, and begins a command only when `begin` is called. */
async function slowServer(algorithms: ssh2.Algorithms = {}) {
  const hostKey = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private
  const asked: (() => ServerChannel)[] = []
  const events = new EventEmitter()
  const server = new ssh2.Server({ hostKeys: [hostKey], algorithms }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => attempt.accept())
    client.on('session', (accept) =>
      accept().on('exec', (begin, _decline, { command }) => {
        asked.push(() => {
          const channel = begin()
          announce(channel, readFrame(command)?.mark ?? expect.fail(command))
          return channel
        })
        events.emit('asked')
      }),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return {
    port: portOf(server),
    known: [hostKeyOf(parsed(hostKey).getPublicSSH())],
    begin: async (): Promise<ServerChannel> => {
      if (asked.length === 0) await once(events, 'asked')
      return asked.shift()?.() ?? expect.fail()
    },
  }
}

describe('a command', () => {
  it('that begins after its time limit leaves no channel open', async () => {
    const server = await slowServer()
    const outcome = await openConnection(targetAt(server.port, server.known), new AbortController().signal, {
      ...connectionLimits,
      command: 0,
    })
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    onTestFinished(() => {
      outcome.connection.close()
    })
    expect(await outcome.connection.exec('nvidia-smi')).toEqual({ kind: 'timed-out', isLogin: true })
    const channel = (await server.begin()).resume()
    await once(channel, 'close')
  })

  it('that ends at once reports its status', async () => {
    const server = await slowServer()
    const outcome = await openConnection(targetAt(server.port, server.known), new AbortController().signal)
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    onTestFinished(() => {
      outcome.connection.close()
    })
    const result = outcome.connection.exec('exit 3')
    const channel = await server.begin()
    channel.exit(3)
    channel.end()
    expect(await result).toEqual({ kind: 'finished', stdout: '', stderr: '', status: 3 })
  })
})

/** A proxy to a port that never passes on the end of a connection, as with a dead machine. */
async function wayWithoutEnds(port: number) {
  const sockets: Socket[] = []
  const way = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1' })
    sockets.push(near, far)
    near.on('error', () => undefined).on('data', (data) => far.write(data))
    far.on('error', () => undefined).on('data', (data) => near.write(data))
  })
  await once(way.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy())
    way.close()
  })
  return { port: portOf(way), near: () => sockets[0] ?? expect.fail() }
}

describe('a connection that is closed', () => {
  it('keeps no socket to a machine that never answers the end', async () => {
    const server = await slowServer()
    const way = await wayWithoutEnds(server.port)
    const outcome = await openConnection(targetAt(way.port, server.known), new AbortController().signal)
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    const channel = outcome.connection.forward('127.0.0.1', 22)
    const isGone = new Promise<void>((resolve) => way.near().once('close', () => resolve()))
    const isEnded = once(way.near(), 'end')
    outcome.connection.close()
    await expect(channel).rejects.toThrow()
    // Who writes to a socket that is gone is refused; one that has only sent its end takes it.
    await isEnded
    way.near().write('still there?')
    await isGone
  })
})

/** A server that admits everybody by the method `none` alone, as Tailscale SSH does, and names no other. */
async function keylessServer() {
  const hostKey = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private
  const offered: string[] = []
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => {
      offered.push(attempt.method)
      if (attempt.method === 'none') attempt.accept()
      else attempt.reject([])
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { port: portOf(server), known: [hostKeyOf(parsed(hostKey).getPublicSSH())], offered }
}

describe('a server that admits users without a key', () => {
  it.each(['no key', 'a key'])('accepts the sign-in of a user with %s', async (has) => {
    const server = await keylessServer()
    const target = targetAt(server.port, server.known)
    const keys = has === 'a key' ? target.keys : []
    const outcome = await openConnection({ ...target, keys }, new AbortController().signal)
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    outcome.connection.close()
    expect(server.offered).toEqual(['none'])
  })
})

describe('a connection that is being opened', () => {
  it.each(['zlib', 'zlib@openssh.com'] as const)('refuses the compression %s', async (packed) => {
    const server = await slowServer({ compress: [packed] })
    const outcome = await openConnection(targetAt(server.port, server.known), new AbortController().signal)
    if (outcome.kind === 'connected') outcome.connection.close()
    expect(outcome).toMatchObject({ kind: 'not-reached' })
    expect(await askHostKey('127.0.0.1', server.port, server.known, 5)).toEqual({ kind: 'not-understood' })
  })

  it('keeps the beginning of a machine’s last message', async () => {
    const words = Buffer.from('x'.repeat(24_000))
    // RFC 4253 §6 and §11.1: length, padding, SSH_MSG_DISCONNECT, code, description, no language.
    const packet = Buffer.concat([Buffer.alloc(14), words, Buffer.alloc(10)])
    packet.writeUInt32BE(packet.length - 4, 0)
    packet.set([6, 1], 4)
    packet.writeUInt32BE(2, 6)
    packet.writeUInt32BE(words.length, 10)
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('SSH-2.0-rude\r\n')
      socket.write(packet)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const target = targetAt(portOf(server), [])
    const reason = 'x'.repeat(200)
    expect(await openConnection(target, new AbortController().signal)).toEqual({
      kind: 'not-reached',
      reason,
    })
    expect(await askHostKey(target.host, target.port, [], 5)).toEqual({ kind: 'cannot-connect', reason })
  })

  it('fails at once for another host key, even if the machine never closes', async () => {
    const [server, other] = [await slowServer(), await slowServer()]
    const way = await wayWithoutEnds(server.port)
    const outcome = await openConnection(targetAt(way.port, other.known), new AbortController().signal)
    expect(outcome.kind).toBe('host-key-changed')
  })

  it('ends quietly if the answer about its first host key comes after it was cancelled', async () => {
    const folder = temporaryFolder()
    const [hostKey, key] = [makeKeyFile(join(folder, 'host')), makeKeyFile(join(folder, 'id'))]
    const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none' })
    onTestFinished(async () => {
      await sshd.close()
      rmSync(folder, { recursive: true })
    })
    const cancelling = new AbortController()
    let refuse = (): void => undefined
    const target: ConnectionTarget = {
      ...targetAt(sshd.port, []),
      acceptFirstKey: () => {
        setImmediate(() => cancelling.abort())
        return new Promise((resolve) => (refuse = () => resolve(false)))
      },
    }
    const outcome = await openConnection(target, cancelling.signal)
    expect(outcome).toMatchObject({ kind: 'not-reached' })
    // A rejection that nothing handles fails the test.
    await new Promise((resolve) => setImmediate(resolve))
    refuse()
    await new Promise((resolve) => setImmediate(resolve))
  })

  it('is cancelled when consent is withdrawn, also while it waits', async () => {
    const server = await silentServer()
    const harness = telemetryHarness(() => server.port)
    for (const id of ['m2', 'm3', 'm4', 'm5', 'm6']) harness.place(id)
    for (const id of ['m1', 'm2', 'm3', 'm4']) await harness.consent(true, id)
    const [first] = await Promise.all([1, 2, 3, 4].map(server.connection))
    await harness.consent(true, 'm5')
    await harness.consent(false, 'm5')
    await harness.consent(true, 'm6')
    expect(harness.attempts()).toBe(4)

    const isClosed = first && once(first, 'close')
    for (const id of ['m1', 'm2', 'm3', 'm4']) await harness.consent(false, id)
    await isClosed
    // The place of the first is for m6 now.
    const last = await server.connection(5)
    const isLastClosed = once(last, 'close')
    await harness.consent(false, 'm6')
    await isLastClosed
    expect(harness.attempts()).toBe(5)
  })
})

describeWith(['sshd'], 'a real sshd', () => {
  it('that hangs up after too many keys counts as a refusal', async () => {
    const folder = temporaryFolder()
    const hostKey = makeKeyFile(join(folder, 'host'))
    const sshd = await startSshd({ hostKeys: [hostKey], admits: makeKeyFile(join(folder, 'id')) })
    onTestFinished(() => sshd.close())
    const outcome = await openConnection(
      {
        user: sshd.user,
        host: '127.0.0.1',
        port: sshd.port,
        known: [hostKeyOf(parsed(readFileSync(`${hostKey}.pub`, 'utf8')).getPublicSSH())],
        keys: ['1', '2', '3', '4', '5', '6', '7'].map((name) => newKey(sshd.user, name)),
      },
      new AbortController().signal,
    )
    expect(await sshd.logged(/Too many authentication failures|maximum authentication attempts/)).toBeTruthy()
    expect(outcome).toEqual({ kind: 'key-refused', isCut: true, methods: ['publickey'] })
  })
})
