import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgentAccess, type AgentAction } from '#shared/bridge/agent'
import { agentActionFixture as created, agentNow as now } from '../../../test/fixtures/agent-action'
import { capRefusal, countedCost } from './cap'

const hour = 3_600
const usd = (amount: number) => ({ currency: 'USD', millionths: amount * 1_000_000 })
const access = (cap: number | null): AgentAccess => AgentAccess.parse({ create: true, cap: cap && usd(cap) })

describe('the amount that counts against a cap', () => {
  it.each([
    ['a machine that exists: 24 hours', created(), 48],
    ['a machine of unknown outcome: 24 hours, for a day', created({ machine: null, result: 'unknown' }), 48],
    ['an unknown outcome of yesterday: nothing', created({ at: now - 25 * hour, machine: null }), 0],
    ['a machine that is being created: 24 hours', created({ machine: null, result: 'sending' }), 48],
    ['a deleted machine: its time', created({ endedAt: now - hour / 2 }), 1],
    ['a machine deleted yesterday: nothing', created({ at: now - 50 * hour, endedAt: now - 25 * hour }), 0],
    [
      'the part in the last day of a longer time',
      created({ at: now - 50 * hour, endedAt: now - 23 * hour }),
      2,
    ],
    ['a failed creation: nothing', created({ result: 'failed' }), 0],
    ['a refused creation: nothing', created({ result: 'refused' }), 0],
    ['another currency: nothing', created({ perHour: { currency: 'EUR', millionths: 1 } }), 0],
    ['another action: nothing', created({ kind: 'start', perHour: null }), 0],
  ])('%s', (_, action, amount) => {
    expect(countedCost([action], 'USD', now)).toEqual(usd(amount))
  })
})

it.each([
  ['no cap', null, usd(1), 'no-cap'],
  ['no price', 100, null, 'no-price'],
  ['another currency', 100, { currency: 'EUR', millionths: 1 }, 'other-currency'],
  ['exactly the cap', 72, usd(1), null],
  ['one millionth above', 72, { currency: 'USD', millionths: 1_000_001 }, 'above-cap'],
])('a creation with %s', (_, cap, perHour, refusal) => {
  expect(capRefusal(access(cap), [created()], perHour, now)).toBe(refusal)
})

it('accepted machines together never cost more than the cap in 24 hours', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 50_000_000 }), { maxLength: 40 })
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 500 }), (millionths, cap) => {
      const actions: AgentAction[] = []
      for (const price of millionths) {
        const perHour = { currency: 'USD', millionths: price }
        if (capRefusal(access(cap), actions, perHour, now) === null)
          actions.push(created({ at: now, perHour }))
      }
      const day = actions.reduce((sum, { perHour }) => sum + 24 * (perHour?.millionths ?? 0), 0)
      expect(day).toBeLessThanOrEqual(cap * 1_000_000)
    }),
  )
})
