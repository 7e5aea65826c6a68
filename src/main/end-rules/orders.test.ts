import { expect, it } from 'vitest'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { machineView } from '../fleet/machine-view'
import { createOrders } from './orders'
import { openRules } from './rules'

const account = 'abcdefghijkl'
const now = 1_000_000
const order = (at: number) => ({
  account,
  machine: 'm1',
  name: 'train-1',
  action: 'delete' as const,
  when: { kind: 'at' as const, at },
})

it('a rule that cannot be stored is not armed, and the rule that it would replace stays', async () => {
  const documents = flakySettings()
  const rules = openRules(documents)
  const { arm } = createOrders(
    {
      clock: { now: () => now },
      fleet: { view: (_account, id) => machineView({ id, name: 'train-1' }) },
      costsOf: () => Promise.resolve(new Map()),
      jobEnd: () => null,
    },
    rules,
    {
      check: () => Promise.resolve(),
      dueOf: () => null,
      hasChecked: () => true,
      close: () => Promise.resolve(),
    },
  )
  documents.fail(1)
  await expect(arm(order(now + 3_600))).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
  expect(rules.all()).toEqual([])

  const first = await arm(order(now + 3_600))
  documents.fail(1)
  await expect(arm(order(now + 7_200))).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
  expect(rules.all()).toEqual([first])
})
