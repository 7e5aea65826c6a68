// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it } from 'vitest'
import { leaveOutUnseen } from './unseen-lines'

const scrollback = 1_000
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const left = (...texts: readonly string[]): string => {
  const waiting = texts.map(bytesOf)
  const before = waiting.reduce((sum, { length }) => sum + length, 0)
  const leftOut = leaveOutUnseen(waiting, scrollback)
  const rest = Buffer.concat(waiting)
  expect(leftOut).toBe(before - rest.length)
  return rest.toString()
}

/** All that is on screen and that can be scrolled back to: characters with their colours, the cursor and the modes. */
async function contentOf(...texts: readonly string[]) {
  const terminal = new Terminal({ cols: 40, rows: 12, scrollback, allowProposedApi: true })
  for (const text of texts) await new Promise<void>((resolve) => terminal.write(bytesOf(text), resolve))
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row)
    const colors = Array.from({ length: 40 }, (_cell, at) => {
      const cell = line?.getCell(at)
      return `${String(cell?.getFgColor())},${String(cell?.getBgColor())},${String(cell?.isBold())}`
    })
    return `${line?.translateToString() ?? ''} ${String(line?.isWrapped)} ${colors.join(' ')}`
  })
  const { type, cursorX, cursorY, length } = active
  const content = { type, cursorX, cursorY, length, modes: { ...terminal.modes }, rows: rows.join('\n') }
  terminal.dispose()
  return content
}

const numbered = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `line ${String(line)} of ${String(lines)}\r\n`).join('')

it.each([
  ['lines of text', numbered(20_000)],
  [
    'lines in colours, longer than the terminal is wide',
    `${'\x1b[32mgreen and long \x1b[1mbold '.repeat(4)}\r\n`.repeat(9_000),
  ],
  ['what a program draws in between', `${numbered(6_000)}\x1b[5;5Hthere\x1b[3A\x1b[Jx\r\n${numbered(6_000)}`],
  ['a scrolling region', `${numbered(6_000)}\x1b[1;8r\x1b[8;1H${numbered(6_000)}`],
  [
    'a scrolling region that nothing is scrolled back from',
    `${numbered(3_000)}\x1b[3;8r\x1b[8;1H${numbered(6_000)}`,
  ],
  ['what was thrown away', `${numbered(9_000)}\x1b[3J${numbered(100)}`],
  ['another screen and the way back', `${numbered(6_000)}\x1b[?1049h${numbered(6_000)}\x1b[?1049l$ `],
])('what can be seen is the same without the unseen ones of %s', async (_what, text) => {
  const rest = left(text)
  expect(rest.length).toBeLessThan(text.length)
  expect(await contentOf(rest)).toEqual(await contentOf(text))
})

it('what can be seen is the same, whatever comes', async () => {
  const plain = [
    ...['text ', 'a much longer text that goes over the edge of the screen ', '\t', '漢字', '\r', '\x1b[K'],
    ...['\r\n', '\r\n', '\r\n', '\r\n', '\x1b[31m', '\x1b[0m', '\x1b[1;44m', '\x1b[m', '\x1b[38;5;200m'],
  ]
  const others = [
    ...[
      '\x1b[2J',
      '\x1b[3J',
      '\x1b[5;3H',
      '\x1b[3A',
      '\x1b[2;7r',
      '\x1b[r',
      '\x1b[4L',
      '\x1b[2M',
      '\n',
      '\x1bM',
    ],
    ...[
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?47l',
      '\x1b[?7l',
      '\x1b[?7h',
      '\x1b[4h',
      '\x1b[4l',
      '\x1b[2S',
      '\x0c',
    ],
  ]
  let seed = 16
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647)
  const some = (count: number, fragments: readonly string[]): string =>
    Array.from({ length: count }, () => fragments[random() % fragments.length]).join('')
  for (let round = 0; round < 4; round += 1) {
    const text = [1, 2].map(() => some(300, [...plain, ...others]) + some(20_000, plain)).join('')
    const rest = left(text)
    expect(rest.length).toBeLessThan(text.length)
    expect(await contentOf(rest), `round ${String(round)}`).toEqual(await contentOf(text))
  }
})

it('what can be seen is the same behind what was drawn before, though a sequence is cut', async () => {
  const before = `${numbered(500)}a \x1b[3`
  const text = `1mred\r\n${numbered(9_000)}`
  expect(left(text).length).toBeLessThan(text.length / 2)
  expect(await contentOf(before, left(text))).toEqual(await contentOf(before, text))
})

it('lines without a return stay, as each begins where the last one ends', () => {
  const text = numbered(20_000).replaceAll('\r', '')
  expect(left(text)).toBe(text)
})

it('nothing is left out where something is to be known drawn', () => {
  const waiting = [bytesOf(numbered(20_000)), new Uint8Array(), bytesOf(numbered(20_000))]
  expect(leaveOutUnseen([...waiting], scrollback)).toBe(0)
})

it('pieces that waited are one', () => {
  const text = numbered(20_000)
  const half = text.length / 2 + 3
  expect(left(text.slice(0, half), text.slice(half))).toBe(left(text))
})
