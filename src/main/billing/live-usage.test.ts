import { expect, it, onTestFinished } from 'vitest'
import type { Usage } from '#shared/service/billing'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { mergeUsage, usageRecord } from './costs/usage-record'
import { createLiveUsage } from './live-usage'

const entry = (id: string): Usage => ({
  id,
  resource: { id: `of-${id}`, type: 'vm' },
  status: 'active',
  per_minute_fee: 0.5,
  created_time: 1_000,
})

it('does not end what is charged for because its record cannot be read', async () => {
  const harness = await setUp()
  const { id: account } = await connect(harness, await runSandbox())
  const clock = fakeClock(100_000)
  const live = createLiveUsage({
    accounts: harness.accounts,
    clock,
    online: () => true,
    changed: () => undefined,
    everything: () => false,
    expected: () => true,
    usage: {
      expire: () => undefined,
      read: () =>
        Promise.resolve({
          items: [entry('a')],
          total: 2,
          complete: true,
          unreadable: [{ index: 1, id: 'b', text: '' }],
          asOf: clock.now(),
          seenAt: clock.now,
          everything: false,
          revision: 1,
        }),
    },
  })
  onTestFinished(live.close)
  await live.read(account)
  const kept = [usageRecord(entry('a'), 90_000), usageRecord(entry('b'), 90_000)]
  expect(mergeUsage(kept, live.latest(account), clock.now()).map(({ id, status }) => [id, status])).toEqual([
    ['a', 'active'],
    ['b', 'active'],
  ])
})
