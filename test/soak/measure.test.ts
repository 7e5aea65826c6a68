import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Measurement, problemsOf } from './measure'

const none = { own: 1, node: 0, abort: 0 }
const first: Measurement = { heap: 1e6, resources: 2, sockets: 1, planned: 5, listeners: none }

it('leftover listeners are counted, whatever references them', () => {
  const script = join(import.meta.dirname, 'left-behind.ts')
  const counted: unknown = JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' }),
  )
  expect(counted).toEqual({ own: 5, node: 7, abort: 9, ownOnceCleared: 0 })
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
] as const)('a run that leaves %s behind fails', (_what, change, problem) => {
  expect(problemsOf([first, { ...first, ...change }], [])).toEqual([expect.stringMatching(problem)])
})

it('a run that leaves nothing behind passes, and fails with a warning of Node’s', () => {
  expect(problemsOf([first, first], [])).toEqual([])
  expect(problemsOf([first, first], ['MaxListenersExceededWarning: x'])).toHaveLength(1)
})
