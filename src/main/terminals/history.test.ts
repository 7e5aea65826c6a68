import { expect, test } from 'vitest'
import { createRandom } from '../../sandbox/random'
import { createHistory } from './history'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

test('the history reads like the end of one long text, whatever the pieces and wraps', () => {
  const random = createRandom('history')
  const history = createHistory(20_000)
  let printed = ''
  let from = 0
  for (let round = 0; round < 300; round += 1) {
    const length = Math.floor(random.next() ** 4 * 30_000)
    const piece = String.fromCharCode(97 + (round % 26)).repeat(length)
    printed += piece
    // `from` never decreases.
    from = Math.max(from, printed.length - Math.floor(random.next() * 25_000))
    history.push(Buffer.from(piece), from)
    const place = from + Math.floor(random.next() * (printed.length - from))
    const most = Math.floor(random.next() * 30_000)
    expect(history.end()).toBe(printed.length)
    expect(text(history.read(place, most))).toBe(printed.slice(place, place + most))
    expect(text(history.read(from, Infinity))).toBe(printed.slice(from))
  }
})

test('the history stores the end of a piece that is longer than its buffer', () => {
  const history = createHistory(1_000)
  history.push(new Uint8Array(5_000_000).fill(1), 4_999_990)
  expect(history.end()).toBe(5_000_000)
  expect(history.read(4_999_990, 100)).toEqual(new Uint8Array(10).fill(1))
})
