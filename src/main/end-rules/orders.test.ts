import { expect, it } from 'vitest'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { machineView } from '../fleet/machine-view'
import { createOrders, NotItsRule } from './orders'
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

function open() {
  const documents = flakySettings()
  const rules = openRules(documents)
  const orders = createOrders(
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
  return { documents, orders, rules }
}

it('a rule that cannot be stored is not armed, and the rule that it would replace stays', async () => {
  const { documents, orders, rules } = open()
  documents.fail(1)
  await expect(orders.arm(order(now + 3_600), null)).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
  expect(rules.all()).toEqual([])

  const first = await orders.arm(order(now + 3_600), null)
  documents.fail(1)
  await expect(orders.arm(order(now + 7_200), null)).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
  expect(rules.all()).toEqual([first])
})

it('an agent replaces and cancels a rule that it armed', async () => {
  const { orders, rules } = open()
  await orders.arm(order(now + 3_600), 'coder')
  const second = await orders.arm(order(now + 7_200), 'coder')
  expect(rules.all()).toEqual([second])
  expect(second.agent).toBe('coder')
  await orders.cancelFor('coder', account, 'm1')
  expect(rules.all()).toEqual([])
  // Without a rule there is nothing to cancel.
  await orders.cancelFor('coder', account, 'm1')
})

it.each([
  ['the user armed', null],
  ['another agent armed', 'other'],
])('an agent neither replaces nor cancels a rule that %s', async (_, by) => {
  const { orders, rules } = open()
  const armed = await orders.arm(order(now + 3_600), by)
  await expect(orders.arm(order(now + 60), 'coder')).rejects.toBeInstanceOf(NotItsRule)
  await expect(orders.cancelFor('coder', account, 'm1')).rejects.toBeInstanceOf(NotItsRule)
  expect(rules.all()).toEqual([armed])
})

it('a rule of an agent is the user’s once the user extended or replaced it', async () => {
  const { orders, rules } = open()
  const { id } = await orders.arm(order(now + 3_600), 'coder')
  await orders.extend(account, id)
  await expect(orders.cancelFor('coder', account, 'm1')).rejects.toBeInstanceOf(NotItsRule)
  await orders.cancel(account, id)
  await orders.arm(order(now + 3_600), 'coder')
  const own = await orders.arm(order(now + 7_200), null)
  await expect(orders.arm(order(now + 60), 'coder')).rejects.toBeInstanceOf(NotItsRule)
  expect(rules.all()).toEqual([own])
})
