import { describe, expect, it } from 'vitest'
import { Statement, type Usage } from '#shared/service/billing'
import type { Page, PageQuery } from '#shared/service/page'
import { openStore } from '../../../../test/fixtures/store'
import { readRecords } from '../../service/read-records'
import { accountLedger } from './account-ledger'

const now = 1_795_000_000

const statement = (number: number, change: object = {}) => ({
  id: `statement-${String(number)}`,
  resource_id: 'resource',
  resource_type: 'vm',
  status: 'paid',
  started_time: now - number * 60,
  due_time: now - number * 60 + 60,
  type: 'lease_fee',
  amount: 0.01,
  ...change,
})

/** Service with these records as statements, the newest first. */
const open = async (records: object[]) => {
  const { database } = await openStore()
  const service = { records, limit: 1_000, totalOff: 0, requests: 0 }
  const none: Page<Usage> = { items: [], total: 0 }
  const make = () =>
    accountLedger({
      account: 'a',
      billing: () => ({
        statements: async ({ limit = 20, offset = 0 }: PageQuery) => {
          service.requests += 1
          const page = service.records.slice(offset, offset + Math.min(limit, service.limit))
          return { ...readRecords(page, Statement), total: service.records.length + service.totalOff }
        },
        usage: async () => none,
      }),
      database: () => database,
      timeZone: () => 'America/New_York',
      now: () => now,
      publish: () => undefined,
    })
  let ledger = make()
  return {
    service,
    refresh: () => ledger.refresh(),
    readAll: () => ledger.readAll(),
    state: () => ledger.state(),
    restart: () => {
      ledger = make()
    },
    kept: () => database.prepare('SELECT id FROM statement').arrays().length,
  }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => statement(index))
/** Records without an end, without an id, and without any field, at the border of two pages. */
const withOdd = (records: object[]): object[] =>
  records.toSpliced(999, 0, { ...statement(0), id: 'odd', due_time: null }, { name: 'odd' }, [])

describe('statements that cannot be read', () => {
  it('stop nothing, are counted once, and are still known after a restart', async () => {
    const harness = await open(withOdd(many(2_500)))
    await harness.refresh()
    expect(harness.kept()).toBe(2_500)
    expect(harness.state()).toMatchObject({ complete: true, failure: null, unreadable: { count: 3 } })
    expect(harness.state().unreadable?.text).toContain('"due_time":null')
    expect(harness.service.requests).toBeLessThanOrEqual(6)
    harness.restart()
    expect(harness.state().unreadable?.count).toBe(3)
  })

  it('are rows like others as soon as they can be read, and forgotten once they are gone', async () => {
    const harness = await open(withOdd(many(2_500)))
    await harness.refresh()
    harness.service.records[999] = statement(999, { id: 'odd' })
    await harness.readAll()
    expect(harness.kept()).toBe(2_501)
    expect(harness.state().unreadable?.count).toBe(2)
    harness.service.records = many(2_500)
    await harness.readAll()
    expect(harness.kept()).toBe(2_500)
    expect(harness.state().unreadable).toBeUndefined()
  })

  it('leave the row of one that could be read before, until it is gone', async () => {
    const harness = await open(many(30))
    await harness.refresh()
    harness.service.records[3] = statement(3, { due_time: null })
    for (let round = 0; round < 2; round += 1) {
      const before = harness.service.requests
      await harness.readAll()
      expect(harness.kept()).toBe(30)
      expect(harness.state()).toMatchObject({ known: 30, complete: true, unreadable: { count: 1 } })
      expect(harness.service.requests - before).toBeLessThanOrEqual(2)
    }
    harness.service.records.splice(3, 1)
    await harness.readAll()
    expect(harness.kept()).toBe(29)
    expect(harness.state().unreadable).toBeUndefined()
  })

  it('are all known, however many: each sweep is verified, and what is gone is removed', async () => {
    const odd = Array.from({ length: 700 }, (_, index) => ({ name: `odd-${String(index)}` }))
    const harness = await open([...many(1_500), ...odd])
    await harness.refresh()
    expect(harness.state()).toMatchObject({ complete: true, unreadable: { count: 700 } })
    const before = harness.service.requests
    harness.service.records.splice(3, 1)
    await harness.readAll()
    expect(harness.kept()).toBe(1_499)
    expect(harness.service.requests - before).toBeLessThanOrEqual(6)
    harness.service.records = many(1_500)
    await harness.readAll()
    expect([harness.kept(), harness.state().unreadable]).toEqual([1_500, undefined])
  })

  it('are not taken for gone where their ids cannot be read, however often', async () => {
    const harness = await open(many(30))
    await harness.refresh()
    harness.service.records = many(30).map(({ id: _id, ...rest }) => rest)
    await harness.readAll()
    await harness.readAll()
    expect(harness.kept()).toBe(30)
    harness.service.records = many(29)
    await harness.readAll()
    expect([harness.kept(), harness.state().unreadable]).toEqual([29, undefined])
  })

  it('are those too whose amount or time the store cannot hold', async () => {
    const harness = await open([
      ...many(20),
      statement(20, { amount: 1e300 }),
      statement(21, { started_time: 1e300 }),
    ])
    await harness.refresh()
    expect(harness.kept()).toBe(20)
    expect(harness.state()).toMatchObject({ complete: true, failure: null, unreadable: { count: 2 } })
  })
})

describe('a total of statements that is wrong', () => {
  it.each([-40, -3, 7])('by %i loses no row', async (wrong) => {
    const harness = await open(many(60))
    harness.service.limit = 20
    harness.service.totalOff = wrong
    await harness.refresh()
    expect(harness.kept()).toBe(60)
    expect(harness.state()).toMatchObject({ complete: true, failure: null })
  })
})
