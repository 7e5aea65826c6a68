// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it, onTestFinished } from 'vitest'
import { createFeed } from './terminal-feed'

const flood = Array.from({ length: 50_000 }, (_, line) => `${String(line)}\r\n`).join('')

/** Returns the screen of a terminal after a flood, an interrupt and further output. */
async function shownOf(flooded: string, ...then: readonly string[]) {
  const terminal = new Terminal({ cols: 40, rows: 12, scrollback: 100_000, allowProposedApi: true })
  onTestFinished(() => terminal.dispose())
  const feed = createFeed(terminal, () => undefined)
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const messages = async function* (first?: string) {
    yield await Promise.resolve(bytes(flooded))
    feed.typed('\x03')
    if (first !== undefined) yield await Promise.resolve(bytes(first))
  }
  const [first, ...later] = then
  await feed.drawAll(messages(first))
  for (const text of later)
    await feed.drawAll(
      (async function* () {
        yield await Promise.resolve(bytes(text))
      })(),
    )
  // Draws the output after the last message.
  await new Promise<void>((resolve) => terminal.write('', resolve))
  const { normal } = terminal.buffer
  const rows = Array.from({ length: normal.length }, (_, row) => normal.getLine(row))
  const texts = rows.map((row) => row?.translateToString(true) ?? '')
  const at = texts.findIndex((text) => text.includes('skipped'))
  return {
    texts: texts.slice(0, texts.findLastIndex((text) => text !== '') + 1),
    notices: texts.filter((text) => text.includes('skipped')),
    numbers: texts.filter((text) => /^\d+$/.test(text)).length,
    cellsOf: (row: number) => [0, 2].map((column) => rows[at + row]?.getCell(column)),
  }
}

it('a line before the echo shows how many lines were left out', async () => {
  const { texts, notices, numbers } = await shownOf(`$ seq 50000\r\n${flood}`, flood, '^C\r\n$ ')
  const skipped = new Intl.NumberFormat('en').format(100_000 - numbers)
  expect(texts.slice(-4)).toEqual(['49999', `… ${skipped} lines above were skipped`, '^C', '$ '])
  expect(notices).toHaveLength(1)
})

it.each([
  ['at its end', `${flood}^C\r\n$ `],
  ['in two', `${flood}^`, 'C\r\n$ '],
  ['within a line that is drawn', `${flood}5`, '0^C\r\n$ '],
])('the notice has its own line if the echo comes %s', async (_how, ...then) => {
  const { texts, notices } = await shownOf(`\r\n${flood}`, ...then)
  expect(notices).toHaveLength(1)
  expect(
    texts.filter((text) => text.includes('skipped') && !/^… [\d,]+ lines above were skipped$/.test(text)),
  ).toEqual([])
  expect(texts.filter((text) => /^(?:50)?\^C$/.test(text))).toHaveLength(1)
  expect(texts.at(-1)).toBe('$ ')
})

it('there is no notice if nothing was left out', async () => {
  const { notices, texts } = await shownOf(`${'x'.repeat(700_000)}\r\n`, 'a\r\nb\r\n^C\r\n$ ls\r\na\r\nb\r\n')
  expect([notices, texts.slice(-4)]).toEqual([[], ['^C', '$ ls', 'a', 'b']])
})

it('there is no notice if lines do not start at the left edge', async () => {
  const { notices, numbers } = await shownOf(`\r\n${flood.replaceAll('\r', '')}`, '^C\n$ ', 'x\ny\n')
  expect(notices).toEqual([])
  expect(numbers).toBeLessThan(50_000)
})

it('the notice is dim, and the attributes after it stay the same', async () => {
  for (const [set, bold, dim] of [
    ['\x1b[1;31m', true, false],
    ['\x1b[2m', false, true],
    ['\x1b[1;2m', true, true],
    ['', false, false],
  ] as const) {
    const { cellsOf } = await shownOf(`\r\n${set}${flood}`, '^C\r\n$ ')
    expect(cellsOf(0)[1]?.isDim()).toBeTruthy()
    expect(cellsOf(1)[0]?.getChars()).toBe('^')
    expect(
      cellsOf(1)
        .slice(0, 1)
        .map((cell) => [Boolean(cell?.isBold()), Boolean(cell?.isDim())]),
    ).toEqual([[bold, dim]])
  }
})

it.each([
  ['while a program has the whole screen', '\x1b[?1049h1\r\n2\r\n3\r\n', '\x1b[?1049l\r\na line\r\n'],
  ['over what is on screen', '\x1b[2J\x1b[3;1Hbelow\x1b[1;1H1\r\n2\r\n', '\x1b[8;1H\r\na line\r\n'],
])('the notice waits for a free line: not %s', async (_where, busy, free) => {
  const { texts, notices } = await shownOf(`\r\n${flood}\x07\r\n`, `^C${busy}`, free, 'x\r\n$ ')
  expect(notices).toHaveLength(1)
  expect(texts.slice(-4)).toEqual(['a line', notices[0], 'x', '$ '])
})

it('the notice does not cut a control sequence', async () => {
  const title = ['\x1b]0;a title', '^C\r\n1\r\nof it\x07\r\na line\r\n', 'x\r\n$ ']
  const { texts, notices } = await shownOf(`\r\n${flood}`, ...title)
  expect(notices).toHaveLength(1)
  expect(texts.slice(-6)).toEqual(['49999', '', 'a line', notices[0], 'x', '$ '])
})
