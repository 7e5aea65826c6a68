import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UsageRecord } from '../cloud/records'
import { toDollars } from './fees'
import { dayOf, statementsOf } from './statements'
import { usageAt } from './fees'

const now = 1_795_269_637
const aLife = fc
  .record({
    age: fc.integer({ min: 0, max: 200 * 86_400 }),
    part: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    perMinute: fc.integer({ min: 2, max: 2_000_000 }),
  })
  .map(({ age, part, perMinute }): UsageRecord => {
    const createdTime = now - age
    return {
      id: '814c98160bebdf70a74201c2',
      resource: { id: '1', name: 'a', displayName: 'a', type: 'vm' },
      perMinute,
      createdTime,
      terminatedTime: part === null ? null : createdTime + Math.floor(age * part),
    }
  })

describe('statements', () => {
  it('add up to exactly the usage', () => {
    fc.assert(
      fc.property(aLife, (usage) => {
        const total = statementsOf(usage, now).reduce((sum, statement) => sum + statement.amount, 0)
        expect(total).toBe(usageAt(usage, now).fee)
      }),
    )
  })

  it('follow each other without a gap, one a day, each with its own id', () => {
    fc.assert(
      fc.property(aLife, (usage) => {
        const statements = statementsOf(usage, now)
        statements.forEach((statement, index) => {
          expect(statement.from).toBe(statements[index - 1]?.to ?? usage.createdTime)
          expect(statement.to).toBeGreaterThan(statement.from)
        })
        expect(new Set(statements.map((statement) => dayOf(statement.from))).size).toBe(statements.length)
        expect(new Set(statements.map((statement) => statement.id)).size).toBe(statements.length)
      }),
    )
  })

  it('are pending only on the current day', () => {
    fc.assert(
      fc.property(aLife, (usage) => {
        const pending = statementsOf(usage, now).filter((statement) => statement.status === 'pending')
        expect(pending.length).toBeLessThanOrEqual(usage.terminatedTime === null ? 1 : 0)
        for (const statement of pending) expect(dayOf(statement.from)).toBeGreaterThanOrEqual(dayOf(now - 60))
      }),
    )
  })

  it('can be derived from a later day on', () => {
    fc.assert(
      fc.property(aLife, fc.integer({ min: 0, max: 200 }), (usage, daysAgo) => {
        const first = dayOf(now) - daysAgo
        const later = statementsOf(usage, now).filter((statement) => dayOf(statement.from) >= first)
        expect(statementsOf(usage, now, first)).toEqual(later)
      }),
    )
  })
})

describe('usage', () => {
  it('costs the fee per minute times the minutes, to the cent, in the service’s format', () => {
    fc.assert(
      fc.property(aLife, (usage) => {
        const { minutes, fee } = usageAt(usage, now)
        expect(Math.abs(toDollars(fee) - toDollars(usage.perMinute) * minutes)).toBeLessThan(0.005)
      }),
    )
  })
})
