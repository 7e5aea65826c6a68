import { expect, it } from 'vitest'
import { countWrites } from '../../../../test/fixtures/counted-writes'
import { flakySettings } from '../../../../test/fixtures/flaky-settings'
import { openStops } from './stopped-machines'

const account = 'abcdefghijkl'

it('a stop is written when a machine stops or connects, not with each reading', () => {
  const { documents, writes } = countWrites(flakySettings())
  const stops = openStops(documents, (action, error) => expect.fail(`${action}: ${String(error)}`))
  const follow = stops.follow.bind(null, account, 'm1', 'here')

  for (const _ of [1, 2, 3]) follow({ kind: 'connected' })
  // One that an earlier run kept may not have been read yet.
  expect(writes()).toBe(1)
  follow({ kind: 'stopped', stop: { kind: 'key-refused', user: 'ubuntu', host: 'example.org', keys: [] } })
  expect(stops.of(account, 'm1', 'here')?.kind).toBe('key-refused')
  for (const _ of [1, 2, 3]) follow({ kind: 'connected' })
  expect(stops.of(account, 'm1', 'here')).toBeUndefined()
  expect(writes()).toBe(3)
})
