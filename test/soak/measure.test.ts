import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createEmitter } from '../../src/main/core/emitter'
import { countListeners } from './listeners'
import { type Measurement, problemsOf } from './measure'

const none = { own: 1, node: 0, abort: 0 }
const first: Measurement = { heap: 1e6, resources: 2, sockets: 1, planned: 5, listeners: none }

it('listeners that are left behind are counted, whatever holds them', async () => {
  const own = createEmitter<number>()
  const node = new EventEmitter()
  const { signal } = new AbortController()
  const before = await countListeners()
  for (let count = 0; count < 5; count += 1) own.on(() => undefined)
  for (let count = 0; count < 7; count += 1) node.on('data', () => undefined)
  for (let count = 0; count < 9; count += 1) signal.addEventListener('abort', () => undefined)
  const after = await countListeners()
  expect(after.own - before.own).toBe(5)
  expect(after.node - before.node).toBeGreaterThanOrEqual(7)
  expect(after.abort - before.abort).toBe(9)
  own.clear()
  expect((await countListeners()).own).toBe(before.own)
})

it.each([
  ['memory', { heap: 1.06e6 }, /the memory has grown/],
  ['handles', { resources: 6 }, /4 handles more/],
  ['sockets', { sockets: 5 }, /4 sockets more/],
  ['timers', { planned: 9 }, /4 timers more/],
  ['listeners', { listeners: { ...none, own: 5 } }, /4 listeners of the application more/],
  ['Node’s listeners', { listeners: { ...none, node: 4 } }, /4 listeners of Node more/],
  ['waits for an abort', { listeners: { ...none, abort: 4 } }, /4 listeners for an abort more/],
  ['a counting that fits no more', { listeners: { ...none, own: 0 } }, /no listener .* is counted/],
] as const)('a run that leaves %s behind is red', (_what, change, problem) => {
  expect(problemsOf([first, { ...first, ...change }], [])).toEqual([expect.stringMatching(problem)])
})

it('a run that leaves nothing behind is green, and a warning of Node’s is red', () => {
  expect(problemsOf([first, first], [])).toEqual([])
  expect(problemsOf([first, first], ['MaxListenersExceededWarning: x'])).toHaveLength(1)
})
