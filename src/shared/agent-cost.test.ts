import { expect, it } from 'vitest'
import { costSoFar, createdMachineExists } from './agent-cost'
import type { AgentAction } from './bridge/agent'

const hour = 3_600
const now = 1_700_000_000
const usd = (amount: number) => ({ currency: 'USD', millionths: amount * 1_000_000 })
const created = (changes: Partial<AgentAction> = {}): AgentAction => ({
  id: 'a',
  at: now - hour,
  account: 'abcdefghijkl',
  kind: 'create',
  machine: 'm1',
  name: 'train',
  command: null,
  result: 'done',
  why: null,
  times: 1,
  perHour: usd(2),
  creation: 'c1',
  endedAt: null,
  ...changes,
})

it('the cost so far ends with the machine', () => {
  expect(costSoFar(created(), now)).toEqual(usd(2))
  expect(costSoFar(created({ endedAt: now - hour / 2 }), now)).toEqual(usd(1))
  expect(costSoFar(created({ result: 'refused', machine: null }), now)).toBeNull()
})

it('a created machine exists until it is deleted', () => {
  expect(createdMachineExists(created())).toBe(true)
  expect(createdMachineExists(created({ endedAt: now }))).toBe(false)
  expect(createdMachineExists(created({ machine: null, result: 'unknown' }))).toBe(false)
  expect(createdMachineExists(created({ kind: 'start', creation: null }))).toBe(false)
})
