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

/** Asks every so many seconds whether the machine is there; `npm run test:deep` waits as long as a person does. */
const impatient: NonNullable<Parameters<typeof tunnelsHarness>[1]> = (target, signal) =>
  openConnection(target, signal, { ...connectionLimits, keepAlive: deep(1, connectionLimits.keepAlive) })

describeWith(['sshd'], 'a forward', () => {
  it('carries HTTP and a WebSocket, on the next local port where its own is taken', async () => {
    const port = await webServer()
    const { open, pages } = tunnelsHarness((await sshdTarget()).target)
    const forward = await open(port, true)
    expect(forward).toMatchObject({ port, machineName: 'train', state: { kind: 'open' } })
    expect(forward.localPort).not.toBe(port)
    // The rest of loopback stands for every other address of the computer.
    expect(await isListening(forward.localPort, '127.0.0.2')).toBe(false)
    expect(await read(forward.localPort)).toBe('hello')
    expect(await echoed(forward.localPort, 'ping')).toBe('ping')
    expect(pages).toEqual([{ port: forward.localPort, path: '/', token: null }])
    // A second wish for the same port is the same forward.
    expect((await open(port)).id).toBe(forward.id)
  })

  it('comes back after a lost line on the same local port', async () => {
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

  it('waits where the line passes nothing on, and answers once it does again', async () => {
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

  it('notices a line that passes nothing on and closes nothing, and comes back', async () => {
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

  it('comes back where its machine has another address, and to no other machine there', async () => {
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

  it('says where the server permits none', async () => {
    const port = await webServer()
    const { target } = await sshdTarget({ AllowTcpForwarding: 'no' })
    const { open, pages } = tunnelsHarness(target)
    expect((await open(port, true)).state).toEqual({ kind: 'prohibited' })
    expect(pages).toEqual([])
  })

  for (const transport of ['ssh2', 'ssh'] as const)
    it.each([
      ['127.0.0.1', '127.0.0.1'],
      ['[::1]', '::1'],
    ])(`reaches a port that the server permits by the name %s alone: ${transport}`, async (name, host) => {
      const port = await webServer(0, host)
      const { target } = await sshdTarget({ PermitOpen: `${name}:${port}` }, transport)
      const { open } = tunnelsHarness(target)
      const { state, localPort } = await open(port)
      expect(state).toEqual({ kind: 'open' })
      expect(await read(localPort)).toBe('hello')
    })

  it('reaches a listed port that the server permits by the name localhost alone', async () => {
    const port = await webServer()
    const { target } = await sshdTarget({ PermitOpen: `localhost:${port}` })
    const { open, look, services } = tunnelsHarness(target)
    const found = services(
      ({ report }) => report?.kind === 'services' && report.services.some((one) => one.port === port),
    )
    await look(true, true)
    await found
    const { state, localPort } = await open(port)
    expect(state).toEqual({ kind: 'open' })
    expect(await read(localPort)).toBe('hello')
  })

  it('waits until the port answers, and says where it does not', async () => {
    const { open, until, clock } = tunnelsHarness((await sshdTarget()).target)
    // Machine and computer are one here: the forward must not get the port itself.
    const holder = createTcpServer()
    await once(holder.listen(0, '127.0.0.1'), 'listening')
    const port = portOf(holder)
    const listed = until('connecting')
    const silent = until('unanswered')
    const opened = open(port)
    await listed
    holder.close()
    await silent
    // An hour back, and on again to the time it was: what is waited for does not become an hour more.
    clock.set(clock.now() - 3_600)
    clock.advance(3_600)
    const { localPort, state } = await opened
    expect(state).toEqual({ kind: 'unanswered' })
    const isOpen = until('open')
    await webServer(port)
    expect(await read(localPort)).toBe('hello')
    await isOpen
  })

  it('ends by hand, with sign-out, with its machine and with the application, not with a token', async () => {
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

  it('waits for a machine that is stopped, and for a computer that sleeps', async () => {
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

  it('keeps little of what it carries in memory where the reader is slow', async () => {
    const [total, most] = [deep(48, 100) * mebibyte, 24 * mebibyte]
    /** Of the last connection: the first one is a probe. */
    let last = { sent: 0 }
    const server = createTcpServer((socket: Socket) => {
      const own = (last = { sent: 0 })
      const chunk = Buffer.alloc(64 * 1024)
      const fill = (): void => {
        while (own.sent < total) {
          own.sent += chunk.length
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
    let held = 0
    for await (const data of response) {
      received += Buffer.isBuffer(data) ? data.length : 0
      held = Math.max(held, last.sent - received)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(received).toBe(total)
    expect(held).toBeLessThan(most)
  })
})
