// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it } from 'vitest'
import { withoutPlainLines } from './plain-lines'

const left = (text: string): string =>
  new TextDecoder().decode(withoutPlainLines(new TextEncoder().encode(text)))
const newest = Array.from({ length: 1_000 }, (_, line) => `newest ${String(line)}\r\n`).join('')

it('whole lines of text are left out, but for the newest thousand and those that are cut', () => {
  const flood = 'text\twith «ä» and 漢字\r\n'.repeat(5_000)
  expect(left(`f a line\r\n${flood}${newest}$ `)).toBe(`f a line\r\n${newest}$ `)
  expect(left(`f a line\r\n${newest}`)).toBe(`f a line\r\n${newest}`)
  expect(left('one line\nanother\n')).toBe('one line\nanother\n')
  expect(left('no line ends here'.repeat(1_000))).toBe('no line ends here'.repeat(1_000))
  expect(left('')).toBe('')
})

it('attributes of lines that are left out stay in force, until they are reset', () => {
  const line = (text: string): string => left(`\n${text}\n${newest}`)
  expect(line('\x1b[32mgreen\n\x1b[1mbold')).toBe(`\n\x1b[32m\x1b[1m${newest}`)
  expect(line('\x1b[32mgreen\x1b[0m\n\x1b[38;2;1;2;3m\x1b[4:3mcurly')).toBe(
    `\n\x1b[0m\x1b[38;2;1;2;3m\x1b[4:3m${newest}`,
  )
  expect(line('\x1b[7;31m\x1b[Kred\x1b[m\x1b[K')).toBe(`\n\x1b[m${newest}`)
})

it.each([
  ['a cursor that moves', '\x1b[5;5Hx'],
  ['a title', '\x1b]0;title\x07'],
  ['another screen', 'x\x1b[?1049h'],
  ['a control character of two bytes', 'x\u009b5;5Hy'],
  ['another set of characters', '\x0ex'],
  ['a bell', '\x07'],
  ['a sequence that goes on in the next line', 'x\x1b[3'],
  ['attributes of another kind', '\x1b[>4;1m'],
])('a line with %s stays, with those that may be written where it leads', (_what, text) => {
  const behind = 'behind\n'.repeat(200)
  expect(left(`\nplain\n\x1b[1mbold\n${text}\n${behind}plain\n${newest}`)).toBe(
    `\n\x1b[1m${text}\n${behind}${newest}`,
  )
})

/** The screen as it is seen: characters with their colours, the cursor, the modes. */
async function screenOf(text: string) {
  const terminal = new Terminal({ cols: 40, rows: 12, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const cells = Array.from({ length: 12 * 40 }, (_, at) => {
    const cell = active.getLine(active.baseY + Math.floor(at / 40))?.getCell(at % 40)
    return (
      cell && [cell.getChars(), cell.getFgColor(), cell.getBgColor(), cell.isBold(), cell.isInverse()].join()
    )
  })
  const seen = {
    type: active.type,
    x: active.cursorX,
    y: active.cursorY,
    modes: { ...terminal.modes },
    cells,
  }
  terminal.dispose()
  return seen
}

it('the last screen is the same as with all lines', async () => {
  const plain = [
    ...['text ', 'a much longer text that goes over the edge of the screen ', '\t', '漢字', '\r', '\x1b[K'],
    ...['\r\n', '\r\n', '\r\n', '\r\n'],
    ...['\x1b[31m', '\x1b[0m', '\x1b[1;44m', '\x1b[7m', '\x1b[m', '\x1b[38;5;200m'],
  ]
  const others = [
    '\x1b[?25l',
    '\x1b[?1h',
    '\x1b[2J',
    '\x1b[5;3H',
    '\x1b[?2004h',
    '\x1b]0;t\x07',
    '\x1b[3A',
    '\x1b(B',
  ]
  let seed = 16
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647)
  const some = (count: number, fragments: readonly string[]): string =>
    Array.from({ length: count }, () => fragments[random() % fragments.length]).join('')
  for (let round = 0; round < 4; round += 1) {
    const text = [1, 2, 3].map(() => some(300, [...plain, ...others]) + some(6_000, plain)).join('')
    const kept = left(text)
    expect(kept.length).toBeLessThan(text.length * 0.6)
    expect(await screenOf(kept), `round ${String(round)}`).toEqual(await screenOf(text))
  }
})
