import { expect, it, onTestFinished } from 'vitest'
import { FailureError } from '#shared/failure'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { fakeNetwork } from '../../../test/fixtures/fake-network'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { facts, program, setUp } from '../../../test/fixtures/terminals-harness'
import { createTerminals } from './index'

it('a terminal reconnects after a lost connection with growing pauses, and at once when the computer wakes up', async () => {
  const harness = setUp()
  await harness.open()
  harness.clock.advance(60)
  harness.last().listener.ended(255)
  expect(await harness.state()).toEqual({ kind: 'waiting', until: 1_062, attempts: 1 })
  harness.clock.advance(2)
  await expect.poll(() => harness.programs.length).toBe(2)
  expect(await harness.state()).toEqual({ kind: 'running' })
  harness.clock.advance(1)
  harness.last().listener.ended(255)
  expect(await harness.state()).toMatchObject({ kind: 'waiting', until: 1_068, attempts: 2 })
  harness.terminals.wakeChanged(true)
  await expect.poll(() => harness.programs.length).toBe(3)
})

/** Opens a terminal and uses it for a minute. Its machine then no longer answers. */
async function lost(kept: string | null = null) {
  let attempts = 0
  const harness = setUp(() => {
    attempts += 1
    return attempts === 1
      ? Promise.resolve(program)
      : Promise.reject(new FailureError({ kind: 'cannot-connect', host: 'h', reason: 'ENETUNREACH' }))
  })
  await harness.open(kept)
  harness.clock.advance(60)
  return {
    ...harness,
    attempts: () => attempts,
    cut: () => harness.last().listener.ended(255),
    /** Waits for so many failed attempts. */
    async fail(times: number): Promise<void> {
      for (let left = times; left > 0; left -= 1) {
        harness.clock.advance(30)
        await new Promise(setImmediate)
      }
    },
  }
}

it('a terminal gives up after 20 attempts, unless its session is kept on the machine', async () => {
  const terminal = await lost()
  terminal.cut()
  await terminal.fail(25)
  expect(await terminal.state()).toMatchObject({ kind: 'failed' })
  expect(terminal.attempts()).toBe(21)
  const kept = await lost('wheelhouse-0a1b2c3d')
  kept.cut()
  await kept.fail(100)
  expect(await kept.state()).toMatchObject({ kind: 'waiting' })
})

it('a terminal does not give up without a network, and retries once when the network is back', async () => {
  const harness = await lost()
  harness.network.lose()
  harness.cut()
  await harness.fail(100)
  expect(await harness.state()).toMatchObject({ kind: 'waiting' })
  const before = harness.attempts()
  harness.network.comeBack()
  await expect.poll(harness.state).toMatchObject({ kind: 'waiting', attempts: 1 })
  expect(harness.attempts()).toBe(before + 1)
  await harness.fail(25)
  expect(await harness.state()).toMatchObject({ kind: 'failed' })
  harness.network.comeBack()
  await new Promise(setImmediate)
  expect(await harness.state()).toMatchObject({ kind: 'failed' })
})

it('a terminal does not retry if ssh was refused at once or the user left the shell', async () => {
  const harness = setUp()
  await harness.open()
  harness.last().listener.ended(255)
  expect(await harness.state()).toEqual({ kind: 'ended', code: 255 })
  const [terminal] = await harness.terminals.handlers['terminal.sessions']({})
  await harness.terminals.handlers['terminal.reconnect']({ session: terminal?.id ?? '' })
  harness.clock.advance(60)
  harness.last().listener.ended(0)
  expect(await harness.state()).toEqual({ kind: 'ended', code: 0 })
  harness.clock.advance(600)
  expect(harness.programs).toHaveLength(2)
})

it.each([
  'ubuntu@10.0.0.5: Permission denied (publickey,password).\r\n',
  'Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\r\nDisconnected from 10.0.0.1 port 22\r\nConnection closed by UNKNOWN port 65535\r\n',
  'Host key verification failed.\r\nkex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n',
])('a terminal does not retry a refused sign-in, even after a minute: %j', async (text) => {
  const harness = setUp()
  await harness.open()
  harness.clock.advance(60)
  harness.last().listener.output(Buffer.from(text))
  harness.last().listener.ended(255)
  expect(await harness.state()).toEqual({ kind: 'ended', code: 255 })
})

it('hostile output does not slow down the check for a refused sign-in', { timeout: 60_000 }, async () => {
  const harness = setUp()
  await harness.open()
  harness.clock.advance(60)
  const text = `Permission denied (a).${' Disconnected from'.repeat(36)} \nx`
  harness.last().listener.output(Buffer.from(text))
  // Each repetition would double the time of a backtracking expression.
  harness.last().listener.ended(255)
  expect(await harness.state()).toMatchObject({ kind: 'waiting' })
})

it.each(['10.0.0.5 port 22', 'UNKNOWN port 65535'])(
  'a terminal reports that the machine hung up after too many keys, at %s',
  async (place) => {
    let isRefused: boolean | undefined
    const harness = setUp(() =>
      Promise.resolve({ ...program, ended: (is: boolean) => void (isRefused = is) }),
    )
    await harness.open()
    harness.clock.advance(60)
    const text = `Received disconnect from ${place}:2: Too many authentication failures\r\nDisconnected from ${place}\r\n`
    harness.last().listener.output(Buffer.from(text))
    harness.last().listener.ended(255)
    expect(await harness.state()).toEqual({ kind: 'ended', code: 255, hasTooManyKeys: true })
    expect(isRefused, 'the key that was remembered').toBe(true)
  },
)

it('a terminal stops retrying if the host key has changed', async () => {
  const changed = { kind: 'host-key-changed', host: 'h', known: 'SHA256:a', offered: 'SHA256:b' } as const
  let attempts = 0
  const harness = setUp(() => {
    attempts += 1
    return attempts === 1 ? Promise.resolve(program) : Promise.reject(new FailureError(changed))
  })
  await harness.open()
  harness.clock.advance(60)
  harness.last().listener.ended(255)
  harness.clock.advance(2)
  await expect.poll(harness.state).toEqual({ kind: 'failed', failure: changed })
  harness.clock.advance(600)
  expect(attempts).toBe(2)
})

it('a terminal that was closed during a failing attempt does not retry', async () => {
  const failures: ((error: unknown) => void)[] = []
  let attempts = 0
  const harness = setUp(() => {
    attempts += 1
    return attempts === 1
      ? Promise.resolve(program)
      : new Promise((_resolve, reject) => failures.push(reject))
  })
  const session = await harness.open()
  harness.clock.advance(60)
  harness.last().listener.ended(255)
  harness.clock.advance(2)
  expect(failures).toHaveLength(1)
  await harness.terminals.handlers['terminal.close']({ session })
  failures.pop()?.(new FailureError({ kind: 'cannot-connect', host: 'h', reason: 'EHOSTUNREACH' }))
  await new Promise(setImmediate)
  expect(harness.clock.pending()).toBe(0)
})

it('a prepared program that does not start is released', async () => {
  const clock = fakeClock(1_000)
  let starts = 0
  const isRefused: boolean[] = []
  const terminals = createTerminals({
    loadPty: () =>
      Promise.resolve((_program, { ended }) => {
        starts += 1
        if (starts !== 2) throw new Error('posix_openpt: No space left on device')
        setImmediate(() => ended(0))
        const nothing = (): undefined => undefined
        return {
          write: () => Promise.resolve(),
          resize: nothing,
          pause: nothing,
          resume: nothing,
          kill: nothing,
        }
      }),
    clock,
    network: fakeNetwork(),
    documents: flakySettings(),
  })
  onTestFinished(() => terminals.close())
  const prepare = () => Promise.resolve({ ...program, ended: (is: boolean) => void isRefused.push(is) })
  await expect(terminals.open({ ...facts, prepare })).rejects.toThrow('No space left')
  expect(isRefused).toEqual([false])
  const session = await terminals.open({ ...facts, prepare })
  await expect.poll(() => isRefused).toEqual([false, false])
  const [reconnected] = await terminals.handlers['terminal.reconnect']({ session })
  expect(reconnected?.state.kind).toBe('failed')
  expect(isRefused).toEqual([false, false, false])
})

it('opening a terminal without pseudo-terminals fails with local-fault', async () => {
  const terminals = createTerminals({
    loadPty: () => Promise.resolve(null),
    clock: fakeClock(0),
    network: fakeNetwork(),
    documents: flakySettings(),
  })
  expect(await terminals.hasPty()).toBe(false)
  await expect(terminals.open({ ...facts, prepare: () => Promise.resolve(program) })).rejects.toMatchObject({
    failure: { kind: 'local-fault' },
  })
})
