import { expect, it } from 'vitest'
import type { Usage } from '#shared/service/billing'
import type { PageQuery } from '#shared/service/page'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { must } from '../../../test/fixtures/service-client'
import { openStore } from '../../../test/fixtures/store'
import { readUsage } from './ledger-costs'
import { mergeUsage } from './costs/usage-record'
import { accountLedger } from './ledger/account-ledger'

const entry = (index: number): Usage => ({
  id: `usage-${String(index)}`,
  resource: { id: `vm-${String(index)}`, name: `vm-${String(index)}`, type: 'vm' },
  per_minute_fee: 0.01,
  total_fee: 1,
  created_time: 1_000_000 + index,
  status: 'active',
})

it('takes an entry for as old as its own last listing, not for as new as the last reading of statements', async () => {
  const { database } = await openStore()
  const clock = fakeClock(2_000_000)
  const entries = Array.from({ length: 2_500 }, (_, index) => entry(index)).toReversed()
  const ledger = accountLedger({
    account: 'a',
    billing: () => ({
      statements: () => Promise.resolve({ items: [], total: 0 }),
      usage: ({ offset = 0, limit = 100 }: PageQuery) =>
        Promise.resolve({ items: entries.slice(offset, offset + limit), total: entries.length }),
    }),
    database: () => database,
    timeZone: () => 'UTC',
    now: clock.now,
    publish: () => undefined,
  })
  await ledger.refresh()
  // Each later reading lists the newest thousand entries.
  clock.advance(60)
  await ledger.refresh()
  const lastSync = must(ledger.state().lastSync)
  expect(lastSync).toBe(2_000_060)

  const usage = await readUsage(database, 'a', lastSync)
  const reportedAt = (id: string) => usage.find((record) => record.id === id)?.reportedAt
  expect(reportedAt('usage-2499')).toBe(2_000_060)
  expect(reportedAt('usage-0')).toBe(2_000_000)

  // Half a minute ago the oldest entry was missing from the active ones, so it has ended.
  const active = usage
    .filter(({ id }) => id !== 'usage-0')
    .map((record) => ({ ...record, reportedAt: 2_000_030 }))
  const merged = mergeUsage(usage, { records: active, asOf: 2_000_030, complete: true }, 2_000_030)
  expect(merged.find(({ id }) => id === 'usage-0')).toMatchObject({ status: 'terminated', missed: true })
  expect(merged.filter(({ status }) => status === 'active')).toHaveLength(2_499)
})
