import { once } from 'node:events'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { deep } from '../../../test/fixtures/counts'
import { describeWith } from '../../../test/fixtures/system-requirements'
import {
  account,
  breakableLine,
  isListening,
  portOf,
  sshdTarget,
  tunnelsHarness,
} from '../../../test/fixtures/tunnels-harness'
import { echoed, read, webServer } from '../../../test/fixtures/web-server'
import { openConnection } from '../ssh/client/connection'
import { connectionLimits } from '../ssh/client/target'

const mebibyte = 1024 * 1024

/** Opens connections that check the machine every second; `npm run test:deep` uses the interval of the application. */
const impatient: NonNullable<Parameters<typeof tunnelsHarness>[1]> = (target, signal) =>
  openConnection(target, signal, { ...connectionLimits, keepAlive: deep(1, connectionLimits.keepAlive) })

describeWith(['sshd'], 'a forward', () => {
  it('carries HTTP and a WebSocket, on the next local port if its own is in use', async () => {
    const port = await webServer()
    const { open, pages } = tunnelsHarness((await sshdTarget()).target)
    const forward = await open(port, true)
    expect(forward).toMatchObject({ port, machineName: 'train', state: { kind: 'open' } })
    expect(forward.localPort).not.toBe(port)
    // 127.0.0.2 represents every other address of the computer.
    expect(await isListening(forward.localPort, '127.0.0.2')).toBe(false)
    expect(await read(forward.localPort)).toBe('hello')
    expect(await echoed(forward.localPort, 'ping')).toBe('ping')
    expect(pages).toEqual([{ port: forward.localPort, path: '/', token: null }])
    // Opening the same port again returns the same forward.
    expect((await open(port)).id).toBe(forward.id)
  })

  it('reconnects on the same local port after a lost connection', async () => {
    const port = await webServer()
    const { target, line } = await sshdTarget()
    const { open, until, clock, call } = tunnelsHarness(target)
    const { localPort } = await open(port)
    const waiting = until('waiting')
    line.down(true)
    await waiting
    await expect(read(localPort)).rejects.toThrow('socket hang up')
    line.down(false)
    const isOpen = until('open')
    clock.advance(7)
    await isOpen
    expect(await read(localPort)).toBe('hello')
    expect(await call['tunnel.forwards']({})).toHaveLength(1)
  })

  it('waits while the connection is silent, and then answers', async () => {
    const port = await webServer()
    const { target, line } = await sshdTarget()
    const { open, call } = tunnelsHarness(target)
    const { localPort } = await open(port)
    line.hold(true)
    const answers = Promise.all([read(localPort), read(localPort)])
    const [forward] = await call['tunnel.forwards']({})
    expect(forward?.state).toEqual({ kind: 'open' })
    line.hold(false)
    expect(await answers).toEqual(['hello', 'hello'])
  })

  it('detects a silent connection, and reconnects', async () => {
    const port = await webServer()
    const { target, line } = await sshdTarget()
    const { open, until, clock } = tunnelsHarness(target, impatient)
    const { localPort } = await open(port)
    const waiting = until('waiting')
    line.hold(true)
    await expect(read(localPort)).rejects.toThrow('socket hang up')
    await waiting
    line.hold(false)
    const isOpen = until('open')
    clock.advance(7)
    await isOpen
    expect(await read(localPort)).toBe('hello')
  })

  it('reconnects to the new address of its machine, but to no other machine', async () => {
    const port = await webServer()
    const { target, line, sshdPort } = await sshdTarget()
    const { open, until, moves, call } = tunnelsHarness(target)
    const { localPort } = await open(port)
    line.hold(true)
    const elsewhere = await breakableLine(sshdPort)
    const isOpen = until('open')
    moves({ ...target, host: 'localhost', port: elsewhere.port })
    await isOpen
    expect(await read(localPort)).toBe('hello')

    const other = await sshdTarget()
    const stopped = until('stopped')
    moves({ ...target, port: other.line.port })
    await stopped
    const [forward] = await call['tunnel.forwards']({})
    expect(forward).toMatchObject({ localPort, state: { stop: { kind: 'host-key-changed' } } })
    await expect(read(localPort)).rejects.toThrow('socket hang up')
  })

  it('is prohibited if the server permits no forwarding', async () => {
    const port = await webServer()
    const { target } = await sshdTarget({ AllowTcpForwarding: 'no' })
    const { open, pages } = tunnelsHarness(target)
    expect((await open(port, true)).state).toEqual({ kind: 'prohibited' })
    expect(pages).toEqual([])
  })

  it('waits until the port answers, and is unanswered after the timeout', async () => {
    const { open, until, clock } = tunnelsHarness((await sshdTarget()).target)
    // The machine is this computer: the forward must not listen on the service's port.
    const holder = createTcpServer()
    await once(holder.listen(0, '127.0.0.1'), 'listening')
    const port = portOf(holder)
    const listed = until('connecting')
    const silent = until('unanswered')
    const opened = open(port)
    await listed
    holder.close()
    await silent
    // Setting the computer's clock back by an hour must not extend the timeout.
    clock.set(clock.now() - 3_600)
    clock.advance(3_600)
    const { localPort, state } = await opened
    expect(state).toEqual({ kind: 'unanswered' })
    const isOpen = until('open')
    await webServer(port)
    expect(await read(localPort)).toBe('hello')
    await isOpen
  })
})

describeWith(['sshd'], 'a forward on a server with limits', () => {
  for (const transport of ['ssh2', 'ssh'] as const)
    it.each([
      ['127.0.0.1', '127.0.0.1'],
      ['[::1]', '::1'],
    ])(`reaches a port that the server permits only by the name %s: ${transport}`, async (name, host) => {
      const port = await webServer(0, host)
      const { target } = await sshdTarget({ PermitOpen: `${name}:${port}` }, transport)
      const { open } = tunnelsHarness(target)
      const { state, localPort } = await open(port)
      expect(state).toEqual({ kind: 'open' })
      expect(await read(localPort)).toBe('hello')
    })

  it('reaches a listed port that the server permits only by the name localhost', async () => {
    const port = await webServer()
    const { target } = await sshdTarget({ PermitOpen: `localhost:${port}` })
    const { open, look, services } = tunnelsHarness(target)
    const listed = services(
      ({ report }) => report?.kind === 'services' && report.services.some((service) => service.port === port),
    )
    await look(true, true)
    await listed
    const { state, localPort } = await open(port)
    expect(state).toEqual({ kind: 'open' })
    expect(await read(localPort)).toBe('hello')
  })
})

describeWith(['sshd'], 'an open forward', () => {
  it('ends when stopped, at sign-out, and with its machine or the application, but not with an expired token', async () => {
    const port = await webServer()
    const { open, call, signOut, isGone, tunnels } = tunnelsHarness((await sshdTarget()).target)
    const ends = [
      async (id: string) => void (await call['tunnel.stop']({ forward: id })),
      () => signOut(),
      () => isGone(),
      () => tunnels.forgetAccount(account),
      () => tunnels.close(),
    ]
    for (const end of ends) {
      const { id, localPort } = await open(port)
      signOut({ kind: 'offline' })
      expect(await isListening(localPort)).toBe(true)
      await end(id)
      expect(await isListening(localPort)).toBe(false)
    }
  })

  it('waits while its machine is stopped and while the computer sleeps', async () => {
    const port = await webServer()
    const { open, until, becomes, sshMachines } = tunnelsHarness((await sshdTarget()).target)
    const { localPort } = await open(port)
    for (const [down, up] of [
      [() => becomes('stopped'), () => becomes('running')],
      [() => sshMachines.wakeChanged(false), () => sshMachines.wakeChanged(true)],
    ] as const) {
      const stopped = until('not-running')
      down()
      await stopped
      const isOpen = until('open')
      up()
      await isOpen
      expect(await read(localPort)).toBe('hello')
    }
  })

  it('holds at most 24 MiB in memory for a slow reader', async () => {
    const [total, maxWaiting] = [deep(48, 100) * mebibyte, 24 * mebibyte]
    /** Bytes sent over the last connection: the first connection is a probe. */
    let last = { sent: 0 }
    const server = createTcpServer((socket: Socket) => {
      const connection = (last = { sent: 0 })
      const chunk = Buffer.alloc(64 * 1024)
      const fill = (): void => {
        while (connection.sent < total) {
          connection.sent += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', fill)
        }
        socket.end()
      }
      socket.on('error', () => undefined)
      fill()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { open } = tunnelsHarness((await sshdTarget()).target)
    const { localPort } = await open(portOf(server))
    const response = connect(localPort, '127.0.0.1')
    let received = 0
    let waiting = 0
    for await (const data of response) {
      received += Buffer.isBuffer(data) ? data.length : 0
      waiting = Math.max(waiting, last.sent - received)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(received).toBe(total)
    expect(waiting).toBeLessThan(maxWaiting)
  })
})
