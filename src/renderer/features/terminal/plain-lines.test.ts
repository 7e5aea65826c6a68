// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it } from 'vitest'
import { withoutPlainLines } from './plain-lines'

const left = (text: string): string =>
  new TextDecoder().decode(withoutPlainLines(new TextEncoder().encode(text)).bytes)
const newest = Array.from({ length: 1_000 }, (_, line) => `newest ${String(line)}\r\n`).join('')

/** Number of lines kept at the beginning and around a line with control characters. */
const around = (what: string): string => `${what}\n`.repeat(200)

it('whole lines of text are left out, except the first, the newest thousand and unfinished lines', () => {
  const first = around('first')
  const flood = 'text\twith «ä» and 漢字\r\n'.repeat(5_000)
  expect(left(`f a line\r\n${first}${flood}${newest}$ `)).toBe(`f a line\r\n${first}${newest}$ `)
  expect(left(`f a line\r\n${first}${newest}`)).toBe(`f a line\r\n${first}${newest}`)
  expect(left('one line\nanother\n')).toBe('one line\nanother\n')
  expect(left('no line ends here'.repeat(1_000))).toBe('no line ends here'.repeat(1_000))
  expect(left('')).toBe('')
})

it('attributes of left-out lines stay in force until they are reset', () => {
  const first = `\n${around('first')}`
  const line = (text: string): string => left(`${first}${text}\n${newest}`)
  expect(line('\x1b[32mgreen\n\x1b[1mbold')).toBe(`${first}\x1b[32m\x1b[1m${newest}`)
  expect(line('\x1b[32mgreen\x1b[0m\n\x1b[38;2;1;2;3m\x1b[4:3mcurly')).toBe(
    `${first}\x1b[0m\x1b[38;2;1;2;3m\x1b[4:3m${newest}`,
  )
  expect(line('\x1b[7;31m\x1b[Kred\x1b[m\x1b[K')).toBe(`${first}\x1b[m${newest}`)
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
])('a line with %s stays, with the lines around it', (_what, text) => {
  const [first, before, behind] = [`\n${around('first')}`, around('before'), around('behind')]
  expect(left(`${first}plain\n\x1b[1mbold\n${before}${text}\n${behind}plain\n${newest}`)).toBe(
    `${first}\x1b[1m${before}${text}\n${behind}${newest}`,
  )
})

/** Returns the visible screen: characters with their colours, the cursor and the modes. */
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

it('the last screen is the same as without leaving lines out', async () => {
  const plain = [
    'text ',
    'a much longer text that goes over the edge of the screen ',
    '\t',
    '漢字',
    '\r',
    '\x1b[K',
    '\r\n',
    '\r\n',
    '\r\n',
    '\r\n',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[1;44m',
    '\x1b[7m',
    '\x1b[m',
    '\x1b[38;5;200m',
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
    '\x1b[2;7r',
    '\x1b[r',
    '\x1b[?1049h',
    '\x1b[?47l',
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

const numbered = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `line ${String(line)} of ${String(lines)}\r\n`).join('')

it.each([
  ['what a scrolling region leaves below itself', `${numbered(3_000)}\x1b[1;8r\x1b[8;1H${numbered(3_001)}`],
  ['what it leaves there of the newest lines', `${numbered(3_000)}\x1b[1;8r\x1b[8;1H${numbered(999)}`],
  ['the screen that a program came from', `${numbered(3_000)}\x1b[?1049h${numbered(3_001)}\x1b[?1049l`],
  ['the same by an older sequence', `${numbered(3_000)}\x1b[?47h${numbered(3_001)}\x1b[?47l`],
])('the last screen keeps %s', async (_what, text) => {
  expect(left(text).length).toBeLessThan(text.length * 0.6)
  expect(await screenOf(left(text))).toEqual(await screenOf(text))
})

it('the last screen keeps text below a scrolling region that was set earlier', async () => {
  const before = `${numbered(1_000)}\x1b[1;8r\x1b[10;1H`
  const text = numbered(3_000)
  expect(await screenOf(before + left(text))).toEqual(await screenOf(before + text))
})
