import { expect, it, onTestFinished } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { FailureError } from '#shared/failure'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { facts, program, setUp } from '../../../test/fixtures/terminals-harness'
import { createTerminals } from './index'

/** The window's end of a screen: what it was sent, and a way to send. */
function screen({ terminals, clock }: ReturnType<typeof setUp>, session: string) {
  const ending = new AbortController()
  const messages: ({ kind: 'input'; text: string } | { kind: 'resize'; columns: number; rows: number })[] = []
  let wake = (): void => undefined
  let taken = (): void => undefined
  const shown: string[] = []
  const served = terminals.streams['terminal.screen'](
    { session },
    {
      signal: ending.signal,
      messages: (async function* () {
        for (;;) {
          const next = messages.shift()
          if (next) yield next
          else if (ending.signal.aborted) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      })(),
      send: (bytes) => {
        shown.push(Buffer.from(bytes).toString())
        return new Promise((resolve) => (taken = resolve))
      },
    },
  )
  return {
    shown: () => shown.join(''),
    /** The messages that came. */
    messages: () => shown,
    /** Lets another message come, without waiting for anything. */
    next(): Promise<unknown> {
      taken()
      return new Promise(setImmediate)
    },
    /** Takes one message after another until nothing more comes. */
    async take(): Promise<void> {
      for (let before = -1; before !== shown.length;) {
        before = shown.length
        taken()
        clock.advance(0.01)
        await new Promise(setImmediate)
      }
    },
    send(message: (typeof messages)[number]) {
      messages.push(message)
      wake()
      return new Promise(setImmediate)
    },
    close: () => {
      ending.abort()
      wake()
      return served
    },
  }
}

it('shows what was printed before it was looked at, sends what is typed, and follows the size', async () => {
  const all = setUp()
  const session = await all.open()
  all.last().listener.output(Buffer.from('motd\r\n$ '))
  const window = screen(all, session)
  await window.send({ kind: 'resize', columns: 120, rows: 40 })
  await window.send({ kind: 'input', text: 'ls\r' })
  await window.take()
  expect(window.shown()).toBe('motd\r\n$ ')
  expect([all.last().typed, all.last().sizes]).toEqual([['ls\r'], ['80x24', '120x40']])
})

it('shows the first of what is printed at once, and gathers what follows for a moment', async () => {
  const all = setUp()
  const window = screen(all, await all.open())
  await window.next()
  const print = (text: string): void => all.last().listener.output(Buffer.from(text))
  print('first')
  await window.next()
  expect(window.shown()).toBe('first')
  for (const one of ['a', 'b', 'c']) print(one)
  await window.next()
  expect(window.shown()).toBe('first')
  all.clock.advance(0.01)
  await window.next()
  expect(window.messages()).toEqual(['', 'first', 'abc'])
  print('x'.repeat(200_000))
  await window.next()
  expect(window.shown().length, 'a full message waits for nothing').toBe(8 + 192 * 1024)
})

it('takes no more from a window whose program takes nothing, and lets go of one that is closed', async () => {
  const all = setUp()
  const session = await all.open()
  const window = screen(all, session)
  all.last().taken = new Promise(() => undefined)
  await window.send({ kind: 'input', text: 'first' })
  await window.send({ kind: 'input', text: 'second' })
  expect(all.last().typed).toEqual(['first'])
  await window.close()
})

it('keeps the last of what comes in single bytes as of what comes at once', async () => {
  const all = setUp()
  const session = await all.open()
  for (let byte = 0; byte < 540_000; byte += 1) all.last().listener.output(Uint8Array.of(48 + (byte % 10)))
  const window = screen(all, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  await window.take()
  expect(window.shown().endsWith('0123456789')).toBe(true)
  expect(window.shown().length).toBeGreaterThanOrEqual(512 * 1024)
  expect(window.shown().length).toBeLessThan(520 * 1024)
})

it('lets a program wait that prints more than the window takes, and none that nobody looks at', async () => {
  const all = setUp()
  const session = await all.open()
  const megabyte = new Uint8Array(1024 * 1024).fill(121)
  all.last().listener.output(megabyte)
  expect(all.last().paused).toBe(false)

  const window = screen(all, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  all.last().listener.output(megabyte)
  expect(all.last().paused).toBe(true)
  await window.take()
  expect(all.last().paused).toBe(false)

  all.last().listener.output(megabyte)
  expect(all.last().paused).toBe(true)
  await window.close()
  expect(all.last().paused).toBe(false)
})

it('keeps the last half megabyte for a window that is opened again', async () => {
  const all = setUp()
  const session = await all.open()
  for (let line = 0; line < 20_000; line += 1)
    all.last().listener.output(Buffer.from(`${String(line).padStart(78, '.')}\r\n`))
  const window = screen(all, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  await window.take()
  expect(window.shown().endsWith('.19999\r\n')).toBe(true)
  expect(window.shown().length).toBeGreaterThanOrEqual(512 * 1024)
  expect(window.shown().length).toBeLessThan(600 * 1024)
})

it('says what an earlier window had already, whose questions have had their answers', async () => {
  const all = setUp()
  const session = await all.open()
  const print = (text: string): void => all.last().listener.output(Buffer.from(text))
  const look = async (): Promise<readonly string[]> => {
    const window = screen(all, session)
    await window.take()
    await window.close()
    return window.messages()
  }
  print('one')
  expect(await look()).toEqual(['', 'one'])
  expect(await look()).toEqual(['one', ''])
  print(' two')
  expect(await look()).toEqual(['one', '', ' two'])
  print('x'.repeat(600 * 1024))
  const [first, second] = await look()
  expect([first, second?.length], 'nothing is left of what was shown').toEqual(['', 192 * 1024])
})

it('comes back by itself after a lost line, later each time, and at once when the computer wakes up', async () => {
  const all = setUp()
  await all.open()
  all.clock.advance(60)
  all.last().listener.ended(255)
  expect(await all.state()).toEqual({ kind: 'waiting', until: 1_062, attempts: 1 })
  all.clock.advance(2)
  await expect.poll(() => all.programs.length).toBe(2)
  expect(await all.state()).toEqual({ kind: 'running' })
  all.clock.advance(1)
  all.last().listener.ended(255)
  expect(await all.state()).toMatchObject({ kind: 'waiting', until: 1_068, attempts: 2 })
  all.terminals.wakeChanged(true)
  await expect.poll(() => all.programs.length).toBe(3)
})

it('does not try again where ssh was refused at once, or the person left', async () => {
  const all = setUp()
  await all.open()
  all.last().listener.ended(255)
  expect(await all.state()).toEqual({ kind: 'ended', code: 255 })
  const [one] = await all.terminals.handlers['terminal.sessions']({})
  await all.terminals.handlers['terminal.reconnect']({ session: one?.id ?? '' })
  all.clock.advance(60)
  all.last().listener.ended(0)
  expect(await all.state()).toEqual({ kind: 'ended', code: 0 })
  all.clock.advance(600)
  expect(all.programs).toHaveLength(2)
})

it.each([
  'ubuntu@10.0.0.5: Permission denied (publickey,password).\r\n',
  'Received disconnect from 10.0.0.5 port 22:2: Too many authentication failures\r\nDisconnected from 10.0.0.5 port 22\r\n',
  'Host key verification failed.\r\nkex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n',
])('does not try again where nobody was signed in, however long the person took: %j', async (said) => {
  const all = setUp()
  await all.open()
  all.clock.advance(60)
  all.last().listener.output(Buffer.from(said))
  all.last().listener.ended(255)
  expect(await all.state()).toEqual({ kind: 'ended', code: 255 })
})

it('stops where the host key has changed meanwhile', async () => {
  const changed = { kind: 'host-key-changed', host: 'h', known: 'SHA256:a', offered: 'SHA256:b' } as const
  let attempts = 0
  const all = setUp(() => {
    attempts += 1
    return attempts === 1 ? Promise.resolve(program) : Promise.reject(new FailureError(changed))
  })
  await all.open()
  all.clock.advance(60)
  all.last().listener.ended(255)
  all.clock.advance(2)
  await expect.poll(all.state).toEqual({ kind: 'failed', failure: changed })
  all.clock.advance(600)
  expect(attempts).toBe(2)
})

it('ends what runs in it when it is closed, and with its account', async () => {
  const all = setUp()
  const sessions: TerminalSession[][] = []
  all.terminals.events['terminal.changed']((next) => void sessions.push(next))
  const session = await all.open()
  await all.terminals.handlers['terminal.close']({ session })
  expect(all.last().isKilled).toBe(true)
  await all.open()
  await all.terminals.forgetAccount(facts.account)
  expect(all.last().isKilled).toBe(true)
  expect(sessions.at(-1)).toEqual([])
  expect(() => all.terminals.handlers['terminal.close']({ session })).toThrow(
    expect.objectContaining({ failure: { kind: 'invalid-input', field: 'session', reason: 'unknown' } }),
  )
})

it('opens nothing for an account that is removed meanwhile, nor once the application ends', async () => {
  const reachable: (() => void)[] = []
  const all = setUp(() => new Promise((resolve) => reachable.push(() => resolve(program))))
  const cancelled = { failure: { kind: 'cancelled' } }
  for (const end of [() => all.terminals.forgetAccount(facts.account), () => all.terminals.close()]) {
    const refused = expect(all.open()).rejects.toMatchObject(cancelled)
    await expect.poll(() => reachable.length).toBe(1)
    end()
    reachable.pop()?.()
    await refused
  }
  expect(all.programs).toEqual([])
  expect(await all.terminals.handlers['terminal.sessions']({})).toEqual([])
})

it('is not tried again once it was closed during an attempt that fails', async () => {
  const failures: ((error: unknown) => void)[] = []
  let attempts = 0
  const all = setUp(() => {
    attempts += 1
    return attempts === 1
      ? Promise.resolve(program)
      : new Promise((_resolve, reject) => failures.push(reject))
  })
  const session = await all.open()
  all.clock.advance(60)
  all.last().listener.ended(255)
  all.clock.advance(2)
  expect(failures).toHaveLength(1)
  await all.terminals.handlers['terminal.close']({ session })
  failures.pop()?.(new FailureError({ kind: 'cannot-connect', host: 'h', reason: 'EHOSTUNREACH' }))
  await new Promise(setImmediate)
  expect(all.clock.pending()).toBe(0)
})

it('lets go of what was prepared for a program that does not start', async () => {
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

it('says why where this system has no pseudo-terminals', async () => {
  const terminals = createTerminals({
    loadPty: () => Promise.resolve(null),
    clock: fakeClock(0),
    documents: flakySettings(),
  })
  expect(await terminals.hasPty()).toBe(false)
  await expect(terminals.open({ ...facts, prepare: () => Promise.resolve(program) })).rejects.toMatchObject({
    failure: { kind: 'local-fault' },
  })
})
