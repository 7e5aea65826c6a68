import { expect, it } from 'vitest'
import { agentActionFixture as created, agentNow as now } from '../../test/fixtures/agent-action'
import { costSoFar, createdMachineExists } from './agent-cost'

const hour = 3_600
const usd = (amount: number) => ({ currency: 'USD', millionths: amount * 1_000_000 })

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
