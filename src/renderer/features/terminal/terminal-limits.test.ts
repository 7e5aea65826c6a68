// @vitest-environment happy-dom
import { Terminal } from '@xterm/xterm'
import { expect, it, onTestFinished } from 'vitest'
import { createFeed } from './terminal-feed'
import { boundedInput, ignoreLargeCounts, isAnswer } from './terminal-limits'
import { pasteAsked } from './terminal-screens'

function newTerminal(): Terminal {
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  onTestFinished(() => terminal.dispose())
  ignoreLargeCounts(terminal)
  return terminal
}
const draw = (terminal: Terminal, text: string): Promise<void> =>
  new Promise((resolve) => terminal.write(text, resolve))
const shown = (terminal: Terminal, row: number): string =>
  terminal.buffer.active.getLine(row)?.translateToString(true) ?? ''

it.each([...'@ILMPSTXZb'])('CSI %s with a huge count does not block the window', async (final) => {
  const terminal = newTerminal()
  await draw(terminal, `a\x1b[2147483647${final}b`)
  expect(shown(terminal, 0)).toBe('ab')
})

it('inserted lines and repeated characters are drawn', async () => {
  const terminal = newTerminal()
  await draw(terminal, `${'x'.repeat(5_000)}\x1b[2J\x1b[Hend\x1b[H\x1b[2L=\x1b[79b`)
  expect([
    shown(terminal, terminal.buffer.active.baseY),
    shown(terminal, terminal.buffer.active.baseY + 2),
  ]).toEqual(['='.repeat(80), 'end'])
})

it('a terminal distinguishes replayed output from new output, and its answers from keys', async () => {
  const terminal = newTerminal()
  const said: string[] = []
  let isAgain = true
  terminal.onData((text) => said.push(`${isAgain ? 'again' : 'new'}: ${JSON.stringify(text)}`))
  const answers: string[] = []
  terminal.onData((text) => answers.push(text))
  const questions = '\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b[?6n\x1b[?25$p\x1bP$qm\x1b\\\x1b]11;?\x07\x1b]4;1;?\x07'
  const bytes = new TextEncoder().encode(questions)
  const messages = async function* () {
    for (const message of [bytes, new Uint8Array(), bytes]) yield await Promise.resolve(message)
  }
  await createFeed(terminal, () => (isAgain = false)).drawAll(messages())
  expect(answers.length).toBeGreaterThanOrEqual(14)
  expect(answers.filter((text) => !isAnswer(text))).toEqual([])
  const first = said.filter((text) => text.startsWith('again'))
  expect(said).toEqual([...first, ...first.map((text) => text.replace('again', 'new'))])
  const keys = [
    'a',
    '\r',
    '\x1b',
    '\x1b[A',
    '\x1bOP',
    '\x1b[15~',
    '\x1b[1;5C',
    '\x1b[Z',
    '\x1b[200~x\x1b[201~',
    '\x1b[<0;1;1M',
  ]
  expect(keys.filter(isAnswer)).toEqual([])
})

it('input for a machine that does not read is bounded, and continues when it reads', async () => {
  const sent: string[] = []
  let take = (): void => undefined
  const type = boundedInput((text) => {
    sent.push(text)
    return new Promise((resolve) => (take = resolve))
  })
  for (let answer = 0; answer < 300; answer += 1) type('x'.repeat(32_768))
  expect(sent).toHaveLength(255)
  take()
  await new Promise(setImmediate)
  type('more')
  expect(sent.at(-1)).toBe('more')
})

it('confirmed lines go into the terminal of the question, and nowhere if it has ended', () => {
  const pasted: string[] = []
  const screenOf = (session: string) => ({ paste: (text: string) => void pasted.push(`${session}: ${text}`) })
  const question = { kind: 'paste', session: 'one', text: 'a\nb' } as const
  pasteAsked(question, [{ id: 'two' }, { id: 'one' }], screenOf)
  pasteAsked(question, [{ id: 'two' }], screenOf)
  pasteAsked({ kind: 'link', session: 'one', url: 'https://a.example' }, [{ id: 'one' }], screenOf)
  pasteAsked(null, [{ id: 'one' }], screenOf)
  expect(pasted).toEqual(['one: a\nb'])
})
