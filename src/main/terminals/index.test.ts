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
  const harness = setUp()
  const session = await harness.open()
  harness.last().listener.output(Buffer.from('motd\r\n$ '))
  const window = screen(harness, session)
  await window.send({ kind: 'resize', columns: 120, rows: 40 })
  await window.send({ kind: 'input', text: 'ls\r' })
  await window.take()
  expect(window.shown()).toBe('motd\r\n$ ')
  expect([harness.last().typed, harness.last().sizes]).toEqual([['ls\r'], ['80x24', '120x40']])
})

it('a screen shows the first output at once, and collects the next output for 4 ms', async () => {
  const harness = setUp()
  const window = screen(harness, await harness.open())
  await window.next()
  const print = (text: string): void => harness.last().listener.output(Buffer.from(text))
  print('first')
  await window.next()
  expect(window.shown()).toBe('first')
  for (const one of ['a', 'b', 'c']) print(one)
  await window.next()
  expect(window.shown()).toBe('first')
  harness.clock.advance(0.01)
  await window.next()
  expect(window.messages()).toEqual(['', 'first', 'abc'])
  print('x'.repeat(200_000))
  await window.next()
  expect(window.shown().length, 'a full message is sent at once').toBe(8 + 192 * 1024)
})

it('a screen accepts no further input while the program reads none, and ends with its window', async () => {
  const harness = setUp()
  const session = await harness.open()
  const window = screen(harness, session)
  harness.last().taken = new Promise(() => undefined)
  await window.send({ kind: 'input', text: 'first' })
  await window.send({ kind: 'input', text: 'second' })
  expect(harness.last().typed).toEqual(['first'])
  await window.close()
})

it('a screen replays the last 512 KiB of output that arrived in single bytes', async () => {
  const harness = setUp()
  const session = await harness.open()
  for (let byte = 0; byte < 540_000; byte += 1)
    harness.last().listener.output(Uint8Array.of(48 + (byte % 10)))
  const window = screen(harness, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  await window.take()
  expect(window.shown().endsWith('0123456789')).toBe(true)
  expect(window.shown().length).toBeGreaterThanOrEqual(512 * 1024)
  expect(window.shown().length).toBeLessThan(520 * 1024)
})

it('a program pauses if it prints more than the window accepts, but not without a window', async () => {
  const harness = setUp()
  const session = await harness.open()
  const megabyte = new Uint8Array(1024 * 1024).fill(121)
  harness.last().listener.output(megabyte)
  expect(harness.last().paused).toBe(false)

  const window = screen(harness, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  harness.last().listener.output(megabyte)
  expect(harness.last().paused).toBe(true)
  await window.take()
  expect(harness.last().paused).toBe(false)

  harness.last().listener.output(megabyte)
  expect(harness.last().paused).toBe(true)
  await window.close()
  expect(harness.last().paused).toBe(false)
})

it('a screen replays the last 512 KiB of output that arrived in lines', async () => {
  const harness = setUp()
  const session = await harness.open()
  for (let line = 0; line < 20_000; line += 1)
    harness.last().listener.output(Buffer.from(`${String(line).padStart(78, '.')}\r\n`))
  const window = screen(harness, session)
  await window.send({ kind: 'resize', columns: 80, rows: 24 })
  await window.take()
  expect(window.shown().endsWith('.19999\r\n')).toBe(true)
  expect(window.shown().length).toBeGreaterThanOrEqual(512 * 1024)
  expect(window.shown().length).toBeLessThan(600 * 1024)
})

it('a screen separates replayed output, whose terminal queries were answered, from new output', async () => {
  const harness = setUp()
  const session = await harness.open()
  const print = (text: string): void => harness.last().listener.output(Buffer.from(text))
  const look = async (): Promise<readonly string[]> => {
    const window = screen(harness, session)
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
  const harness = setUp()
  const sessions: TerminalSession[][] = []
  harness.terminals.events['terminal.changed']((next) => void sessions.push(next))
  const session = await harness.open()
  await harness.terminals.handlers['terminal.close']({ session })
  expect(harness.last().isKilled).toBe(true)
  await harness.open()
  await harness.terminals.forgetAccount(facts.account)
  expect(harness.last().isKilled).toBe(true)
  expect(sessions.at(-1)).toEqual([])
  expect(() => harness.terminals.handlers['terminal.close']({ session })).toThrow(
    expect.objectContaining({ failure: { kind: 'invalid-input', field: 'session', reason: 'unknown' } }),
  )
})

it('opening a terminal is cancelled if its account is forgotten or the application ends', async () => {
  const reachable: (() => void)[] = []
  const harness = setUp(() => new Promise((resolve) => reachable.push(() => resolve(program))))
  const cancelled = { failure: { kind: 'cancelled' } }
  for (const end of [() => harness.terminals.forgetAccount(facts.account), () => harness.terminals.close()]) {
    const refused = expect(harness.open()).rejects.toMatchObject(cancelled)
    await expect.poll(() => reachable.length).toBe(1)
    end()
    reachable.pop()?.()
    await refused
  }
  expect(harness.programs).toEqual([])
  expect(await harness.terminals.handlers['terminal.sessions']({})).toEqual([])
})
