import { expect, it } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { facts, program, setUp } from '../../../test/fixtures/terminals-harness'

/** Opens the window's end of a screen stream. */
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
    /** Received messages. */
    messages: () => shown,
    /** Accepts one more message, without waiting for output to be collected. */
    next(): Promise<unknown> {
      taken()
      return new Promise(setImmediate)
    },
    /** Accepts messages until no more arrive. */
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

it('a screen shows earlier output, sends input, and resizes the program', async () => {
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

it('a screen shows the first output at once, and collects the next output for 4 ms', async () => {
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
  expect(window.shown().length, 'a full message is sent at once').toBe(8 + 192 * 1024)
})

it('a screen accepts no further input while the program reads none, and ends with its window', async () => {
  const all = setUp()
  const session = await all.open()
  const window = screen(all, session)
  all.last().taken = new Promise(() => undefined)
  await window.send({ kind: 'input', text: 'first' })
  await window.send({ kind: 'input', text: 'second' })
  expect(all.last().typed).toEqual(['first'])
  await window.close()
})

it('a screen replays the last 512 KiB of output that arrived in single bytes', async () => {
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

it('a program pauses if it prints more than the window accepts, but not without a window', async () => {
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

it('a screen replays the last 512 KiB of output that arrived in lines', async () => {
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

it('a screen separates replayed output, whose terminal queries were answered, from new output', async () => {
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
  expect([first, second?.length], 'no output is replayed').toEqual(['', 192 * 1024])
})

it('a terminal ends its program when it is closed and when its account is forgotten', async () => {
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

it('opening a terminal is cancelled if its account is forgotten or the application ends', async () => {
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
