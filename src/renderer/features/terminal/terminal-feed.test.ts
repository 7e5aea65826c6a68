import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFeed } from './terminal-feed'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A terminal and a stream of messages that the test advances. */
function setUp(type: 'normal' | 'alternate' = 'normal') {
  const pieces: string[] = []
  let drawn: (() => void) | undefined
  // With the cursor inside a line, no notice is drawn.
  const buffer = { active: { type, baseY: 0, cursorX: 1, cursorY: 0, getLine: () => undefined } }
  const terminal = {
    buffer,
    write(data: string | Uint8Array, done?: () => void): void {
      pieces.push(Buffer.from(data).toString())
      drawn = done
    },
  }
  const caughtUp = vi.fn()
  const feed = createFeed(terminal, caughtUp)
  const queue: Uint8Array[] = []
  let isOver = false
  let failure: Error | undefined
  let wake = (): void => undefined
  const messages = async function* () {
    for (;;) {
      const next = queue.shift()
      if (next) yield next
      else if (failure) throw failure
      else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const ended = feed.drawAll(messages())
  return {
    pieces,
    caughtUp,
    ended,
    typed: feed.typed,
    /** Messages that wait in main. */
    inMain: () => queue.length,
    async send(...texts: string[]): Promise<void> {
      queue.push(...texts.map((text) => new Uint8Array(Buffer.from(text))))
      wake()
      await new Promise(setImmediate)
    },
    async draw(): Promise<void> {
      const done = drawn
      drawn = undefined
      done?.()
      await new Promise(setImmediate)
    },
    async drawRest(): Promise<void> {
      for (let count = 0; count < 20; count += 1) {
        await this.draw()
        vi.advanceTimersByTime(33)
      }
    },
    end(error?: Error): void {
      isOver = true
      failure = error
      wake()
    },
  }
}
const kilobytes = (count: number, text = 'x'): string => text.repeat((count * 1_024) / text.length)

it('output that arrives while a piece is drawn becomes the next piece', async () => {
  const { pieces, send, draw, end, ended } = setUp()
  await send('a', 'b', 'c')
  expect(pieces).toEqual(['a'])
  await draw()
  expect(pieces).toEqual(['a', 'bc'])
  await draw()
  await send('d')
  end()
  await draw()
  await ended
  expect(pieces).toEqual(['a', 'bc', 'd'])
})

it.each([
  ['letters', 'x', 600_000],
  ['line feeds', '\n', 18_750],
  ['coloured text', '\x1b[1;34mfolder\x1b[0m  ', 140_735],
  ['lines moved back', '\x1bM', 3_987],
  ['lines scrolled', '\x1b[60S', 331],
  ['one line scrolled', '\x1b[S', 11_842],
  ['lines inserted, by the larger number', '\x1b[60;1L', 463],
  ['lines scrolled, in another spelling', '\u009b60T', 265],
  ['lines scrolled, with a line feed within', '\x1b[6\n0S', 355],
  ['lines scrolled, behind zeros', `\x1b[${'0'.repeat(40)}60S`, 2_656],
  ['screens that are cleared', '\x1b[2J', 1_197],
  ['screens that are changed', '\x1b[?1049h\x1b[?1049l', 1_913],
  ['screens that are filled', '\x1b#8', 178],
  ['resets', '\x1bc', 119],
  ['resets with a line feed within', '\x1b\nc', 178],
])('a piece of %s has the size that the page can wait for', async (_what, text, size) => {
  const { pieces, send, draw } = setUp()
  await send('', kilobytes(700, text))
  await draw()
  expect(pieces[1]).toHaveLength(size)
})

it('a flood is drawn in large pieces, or after a moment', async () => {
  const { pieces, send, draw } = setUp()
  await send(kilobytes(20))
  await draw()
  await send('more')
  expect(pieces).toHaveLength(1)
  vi.advanceTimersByTime(33)
  expect(pieces).toEqual([kilobytes(20), 'more'])
  await draw()
  await send(kilobytes(20))
  await draw()
  await send(kilobytes(256))
  expect(pieces).toHaveLength(3)
  await send(kilobytes(256))
  expect(pieces[3]).toHaveLength(512 * 1_024)
})

it('the waiting output is bounded, and the rest stays in main', async () => {
  const { send, draw, inMain } = setUp()
  await send(...Array.from({ length: 20 }, () => kilobytes(128)))
  expect(inMain()).toBe(11)
  await draw()
  expect(inMain()).toBe(10)
})

it('an empty message marks the end of replayed output, and later output waits for it', async () => {
  const { pieces, send, draw, caughtUp } = setUp()
  await send('again', '', 'new')
  await draw()
  expect([pieces, caughtUp.mock.calls.length]).toEqual([['again', ''], 0])
  await draw()
  expect([pieces, caughtUp.mock.calls.length]).toEqual([['again', '', 'new'], 1])
})

it('the feed fails as the messages do, and draws no more output', async () => {
  const { pieces, send, draw, end, ended } = setUp()
  await send('a', 'b')
  end(new Error('broken'))
  await expect(ended).rejects.toThrow('broken')
  await draw()
  expect(pieces).toEqual(['a'])
})

const flood = kilobytes(120, 'y\r\n')
const lines = (text: string | undefined): number => text?.split('\n').length ?? 0

it.each([
  ['\x03', '^C'],
  ['\x1c', '^\\'],
  ['\x1a', '^Z'],
])('%j during a flood leaves lines out up to its echo', async (key, echo) => {
  const { pieces, send, draw, typed } = setUp()
  await send('$ ', flood)
  typed(key)
  await draw()
  const handler = 'stopping\r\n'.repeat(3_000)
  await send(`${flood}^X\r\n${flood}${echo}\r\n${handler}$ `)
  await draw()
  await draw()
  expect(pieces.slice(1).map(lines)).toEqual([1_202, 1_202, 3_002])
  expect(pieces[3]).toBe(`${echo}\r\n${handler}$ `)
})

it.each([['^', 'C'], ['^C']])('the echo is recognised when it arrives as %j', async (...parts) => {
  const all = setUp()
  await all.send('$ ', flood)
  all.typed('\x03')
  await all.draw()
  await all.send(...parts, flood)
  await all.drawRest()
  expect(all.pieces.slice(2).join('')).toBe(`^C${flood}`)
})

it.each<[string, (all: ReturnType<typeof setUp>) => void | Promise<void>]>([
  ['without an interrupt', () => undefined],
  ['after another key', ({ typed }) => typed('q')],
  ['after an interrupt that is followed by another key', ({ typed }) => ['\x03', 'l'].forEach(typed)],
  ['after an interrupt within a pasted text', ({ typed }) => typed('echo\x03')],
])('the whole flood is drawn %s', async (_when, act) => {
  const all = setUp()
  await all.send('$ ', flood)
  await act(all)
  await all.draw()
  await all.draw()
  vi.advanceTimersByTime(33)
  expect(all.pieces.slice(1, 6).join('').length).toBeGreaterThan(50_000)
})

it('an interrupt without waiting output, or with a full-screen program, leaves nothing out', async () => {
  const quiet = setUp()
  quiet.typed('\x03')
  await quiet.send('$ ', flood)
  await quiet.draw()
  const full = setUp('alternate')
  await full.send('$ ', flood)
  full.typed('\x03')
  await full.draw()
  expect([quiet, full].map(({ pieces }) => pieces[1]?.length)).toEqual([52_943, 52_943])
})

it.each([
  [50, 'not yet', false],
  [51, 'it is', true],
])(
  'without an echo a flood is over once nothing came for a while: after %i ms %s',
  async (rest, _is, isOver) => {
    const all = setUp()
    vi.advanceTimersByTime(1_000)
    await all.send('$ ', flood)
    all.typed('\x03')
    await all.draw()
    await all.draw()
    expect(all.pieces.map(lines)).toEqual([1, 1_202])
    vi.advanceTimersByTime(rest)
    await all.send(flood)
    await all.drawRest()
    expect(all.pieces.slice(2).join('') === flood).toBe(isOver)
  },
)

it('without an echo at most 16 MB are left out, because the program may go on', async () => {
  const { pieces, send, draw, typed } = setUp()
  const megabyte = kilobytes(1_024, `${'y'.repeat(126)}\r\n`)
  await send('$ ', megabyte)
  typed('\x03')
  for (let count = 0; count < 15; count += 1) {
    await draw()
    await send(megabyte)
  }
  await draw()
  expect(pieces.slice(1).map(lines)).toEqual(Array.from({ length: 16 }, () => 1_202))
  await send(megabyte)
  await draw()
  expect(lines(pieces.at(-1))).toBeGreaterThan(3_000)
})

it('replayed output and its end are not left out', async () => {
  const all = setUp()
  await all.send('$ ', flood, '', 'new')
  all.typed('\x03')
  await all.drawRest()
  expect(all.pieces.join('')).toBe(`$ ${flood}new`)
  expect(all.caughtUp.mock.calls.length).toBe(1)
})
