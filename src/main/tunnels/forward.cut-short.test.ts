import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { systemSsh } from '../../../test/fixtures/system-ssh'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { portOf, sshdTarget, tunnelsHarness } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import { connectionLimits } from '../ssh/client/target'

const transports = ['ssh2', 'ssh', 'ssh without sharing'] as const
type Transport = (typeof transports)[number]

/** Starts a server that sends "begun" and then nothing. */
async function startSilentServer() {
  const server = createServer((socket) => socket.on('error', () => undefined).write('begun'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return portOf(server)
}

/** Returns the id of the ssh process that carries a connection to `port`. */
const sshProcessOf = (port: number): number =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-W localhost:${String(port)}`))
    .map((line) => Number.parseInt(line, 10))[0] ?? expect.fail('no ssh')

async function setUp(transport: Transport) {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { target, line } = await sshdTarget()
  const to = { user: target.user, port: line.port, identityFile: target.keys[0]?.name ?? null }
  const ssh = { ...systemSsh(folder, { ...to, known: target.known }), shares: transport === 'ssh' }
  const reached = transport === 'ssh2' ? target : { ...target, system: { isNeeded: true, ssh } }
  const tunnels = tunnelsHarness(reached, (destination, signal) =>
    openConnection(destination, signal, { ...connectionLimits, keepAlive: 1 }),
  )
  const port = await startSilentServer()
  const { localPort, state } = await tunnels.open(port)
  expect(state).toEqual({ kind: 'open' })
  /** Connects a client and reads the beginning of an answer. `end` resolves to "whole" or to the socket's error. */
  const client = async () => {
    const socket: Socket = connect(localPort, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const end = new Promise<string>((resolve) => {
      socket.once('end', () => resolve('whole')).once('error', ({ message }) => resolve(message))
    })
    const [data]: unknown[] = await once(socket, 'data')
    expect(String(data)).toBe('begun')
    return { end }
  }
  return { ...tunnels, line, port, client }
}

describeWith(['sshd', 'ssh'], 'an answer that is cut short in a forward', () => {
  it.each(transports)('%s: ends with ECONNRESET if the connection is lost', async (transport) => {
    const { client, line, until, clock } = await setUp(transport)
    const first = await client()
    const waiting = until('waiting')
    line.cut()
    expect(await first.end).toContain('ECONNRESET')
    await waiting
    const isOpen = until('open')
    clock.advance(7)
    await isOpen
    await client()
  })

  it.each(['ssh', 'ssh without sharing'] as const)(
    '%s: ends with ECONNRESET if its ssh process ends, and the forward carries the next answer',
    async (transport) => {
      const { client, port, call } = await setUp(transport)
      const first = await client()
      process.kill(sshProcessOf(port), 'SIGKILL')
      expect(await first.end).toContain('ECONNRESET')
      expect(await call['tunnel.forwards']({})).toMatchObject([{ state: { kind: 'open' } }])
      await client()
    },
  )

  it('without sharing: ends with ECONNRESET if its connection is silent, and the forward carries the next answer', async () => {
    const { client, line, call } = await setUp('ssh without sharing')
    const first = await client()
    line.holdNewest()
    expect(await first.end).toContain('ECONNRESET')
    expect(await call['tunnel.forwards']({})).toMatchObject([{ state: { kind: 'open' } }])
    await client()
  })
})
