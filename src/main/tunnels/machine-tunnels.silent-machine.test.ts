import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Server, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { isListening, tunnelsHarness } from '../../../test/fixtures/tunnels-harness'
import type { ExecOutcome, SshConnection } from '../ssh/client/transport'

/** Builds tunnels to a machine that connects at once and then behaves like `behaviour`. */
function machine(behaviour: Pick<SshConnection, 'exec' | 'forward'>) {
  const never = (): Promise<never> => Promise.reject(new Error('not expected'))
  const connection: SshConnection = {
    ...behaviour,
    run: never,
    pipe: never,
    shell: never,
    sftp: never,
    onLost: () => () => undefined,
    close: () => undefined,
  }
  return tunnelsHarness({ user: 'ubuntu', host: '10.0.0.5', port: 22, known: [], keys: [] }, () =>
    Promise.resolve({ kind: 'connected', connection }),
  )
}
/** Finds the server that accepts connections on a port of this process. */
async function serverOf(port: number): Promise<Server> {
  let server: unknown
  const note = (message: unknown): void => {
    if (typeof message === 'object' && message !== null && 'socket' in message)
      if (message.socket instanceof Socket) server = Reflect.get(message.socket, 'server')
  }
  subscribe('net.server.socket', note)
  await isListening(port)
  await expect.poll(() => server).toBeInstanceOf(Server)
  unsubscribe('net.server.socket', note)
  return server instanceof Server ? server : expect.fail('no server')
}
const accepts = (): Promise<PassThrough> => Promise.resolve(new PassThrough())
const answer = (stdout: string): ExecOutcome => ({ kind: 'finished', stdout, stderr: '', status: 0 })

it('services are not read before the user allows it, even if a port of the machine is forwarded', async () => {
  const commands: string[] = []
  const { look, open } = machine({
    exec(command) {
      commands.push(command)
      return Promise.resolve(answer('State '))
    },
    forward: accepts,
  })
  await look(true)
  expect(await open(40_123)).toMatchObject({ state: { kind: 'open' } })
  expect(commands).toEqual([])
  await look(true, true)
  expect(commands).toEqual(['ss -ltnp'])
})

it('a port that neither accepts nor refuses is unanswered after 15 seconds, and no timer remains', async () => {
  const { open, clock, call } = machine({
    exec: () => Promise.resolve(answer('')),
    forward: (_host, _port, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  })
  const opened = open(40_124)
  await expect.poll(() => clock.waits()).toContain(15)
  clock.advance(15)
  const { id, state } = await opened
  expect(state).toEqual({ kind: 'unanswered' })
  await call['tunnel.stop']({ forward: id })
  // The connection closes 30 seconds after its last use.
  clock.advance(30)
  await expect.poll(() => clock.pending()).toBe(0)
})

it('a forward that ends while its page is looked up opens no page', async () => {
  let finish: ((outcome: ExecOutcome) => void) | undefined
  const { open, call, pages } = machine({
    exec: () =>
      new Promise((resolve) => {
        finish = resolve
      }),
    forward: accepts,
  })
  const opened = open(8888, true)
  await expect.poll(() => finish).toBeDefined()
  const [forward] = await call['tunnel.forwards']({})
  await call['tunnel.stop']({ forward: forward?.id ?? '' })
  finish?.(answer('{"port":8888,"token":"t","base_url":"/"}'))
  await expect(opened).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
  expect(pages).toEqual([])
})

it('a connection that the system cannot accept does not end the forward', async () => {
  const { open } = machine({ exec: () => Promise.resolve(answer('')), forward: accepts })
  const { localPort } = await open(40_126)
  const server = await serverOf(localPort)
  server.emit('error', new Error('accept EMFILE'))
  expect(await isListening(localPort)).toBe(true)
})

it('a forward ends with an instance that the user removed from the list', async () => {
  const { open, call, vanishes } = machine({ exec: () => Promise.resolve(answer('')), forward: accepts })
  await open(40_125)
  vanishes()
  expect(await call['tunnel.forwards']({})).toEqual([])
})
