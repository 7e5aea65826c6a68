import { expect, it } from 'vitest'
import { bounds, calendarIn } from '#shared/money/calendar'
import type { LedgerState } from '#shared/bridge/store'
import { openStore } from '../../../test/fixtures/store'
import type { Database } from '../store/database'
import { readCharges, readChargesSince } from './charge-store'
import { createCostSources } from './cost-sources'
import { seen, time, usage } from './costs/book.fixture'
import type { Charges } from './costs/charges'
import { costBook } from './costs/cost-book'
import { costSeries } from './costs/days'
import { momentsAt } from './costs/periods'
import { resourceCosts } from './costs/resources'
import { spendingOf } from './costs/spending'

const aDay = 86_400
const now = time('2026-07-15T12:34:56Z')
const resources = Array.from({ length: 40 }, (_, index) => `r${String(index)}`)

const inserting = (database: Database) =>
  database.prepare(
    `INSERT INTO statement (account, id, resource_id, resource_type, started_time, due_time, millionths, currency, status,
       seen_sweep)
     VALUES ('a', ?, ?, 'vm', ?, ?, ?, ?, ?, 1)`,
  )

/**
 * A year of statements of an hour to fifty days, some resources left uncovered long ago, some covered into the future.
 * Some are of no time at all, and some end before they begin. Some are refunds, and some were never paid.
 */
async function ledgerOfAYear() {
  const { database } = await openStore()
  const insert = inserting(database)
  let state = 7
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  database.transaction(() => {
    for (const [index, resource] of resources.entries()) {
      const end = index % 5 === 0 ? now - 100 * aDay : now + (index % 7 === 0 ? 20 * aDay : 0)
      for (let from = now - 365 * aDay + random(aDay), at = 0; from < end; at += 1) {
        const until = from + 3_600 + random(index % 3 === 0 ? 50 * aDay : aDay)
        const currency = index % 4 === 0 ? 'EUR' : null
        const status = random(9) === 0 ? 'failed' : 'paid'
        insert.run(`${resource} ${String(at)}`, resource, from, until, random(90_000_000), currency, status)
        from = until + (random(4) === 0 ? random(2 * aDay) : 0)
      }
      for (let back = 0; back < 300 * aDay; back += 10 * aDay) {
        const from = now - back - random(aDay)
        const until = from - (index % 2) * random(20 * aDay)
        const amount = random(9_000_000) - 4_500_000
        insert.run(`${resource} once ${String(back)}`, resource, from, until, amount, null, 'paid')
      }
    }
  })
  return database
}

const bookOf = (charges: Charges) =>
  costBook({
    charges,
    usage: resources.map((resource, index) =>
      usage({ resource, created: now - 365 * aDay, life: 1_000_000 * index, reportedAt: now - 60 }),
    ),
    seen: (id) => seen(id),
    currencyOf: (_resource, reported) => ({ currency: reported ?? 'USD', assumed: reported === null }),
    now,
    runsUntil: now,
  })

it.each(['2026-06-15', '2026-07-14', '2025-09-01'])(
  'what is charged since %s follows from what covers it alone',
  async (from) => {
    const database = await ledgerOfAYear()
    const calendar = calendarIn('America/New_York')
    const whole = await readCharges(database, 'a')
    expect(database.prepare('SELECT count(*) FROM statement').arrays()).toEqual([[whole.count]])
    const [since = 0] = bounds(calendar, from, '2026-08-01', 'day')
    const some = await readChargesSince(database, 'a', since)
    expect(some.count).toBeLessThan(whole.count)

    const answers = (charges: Charges) => {
      const book = bookOf(charges)
      const moments = bounds(calendar, from, '2026-08-01', 'day')
      const end = moments.at(-1) ?? 0
      return {
        days: costSeries(book, moments, 'resource', 100),
        resources: resourceCosts(book, since, end, { all: false, only: null }).map(
          ({ resource, period, seconds, perHour }) => [resource.id, period, seconds, perHour],
        ),
      }
    }
    expect(answers(some)).toEqual(answers(whole))
  },
)

it('a statement that failed, was refunded or is void charges nothing and pays for no time', async () => {
  const { database } = await openStore()
  const insert = inserting(database)
  const statuses = ['paid', 'Failed', 'refunded', 'VOID', 'unpaid', null]
  for (const [index, status] of statuses.entries())
    insert.run(`s${String(index)}`, `r${String(index)}`, now - aDay, now, 24_000_000, 'USD', status)
  for (const charges of [await readCharges(database, 'a'), await readChargesSince(database, 'a', now - aDay)])
    expect(
      Object.fromEntries(
        resourceCosts(bookOf(charges), now - aDay, now, {
          all: true,
          only: new Set(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']),
        }).map(({ resource, period }) => [resource.id, [period.charged > 0, period.estimated > 0]]),
      ),
    ).toEqual({
      r0: [true, false],
      r1: [false, true],
      r2: [false, true],
      r3: [false, true],
      r4: [true, false],
      r5: [true, false],
    })
})

it('what is spent now follows from the statements of two months', async () => {
  const database = await ledgerOfAYear()
  const moments = momentsAt(calendarIn('Asia/Tokyo'), now)
  const spent = (charges: Charges) => spendingOf(bookOf(charges), moments)
  const some = await readChargesSince(database, 'a', moments.lastMonth)
  expect(spent(some)).toEqual(spent(await readCharges(database, 'a')))
})

it('a statement that is corrected to cover less leaves the rest to the estimate', async () => {
  const database = await ledgerOfAYear()
  const before = await readChargesSince(database, 'a', now - 40 * aDay)
  database.exec(`UPDATE statement SET due_time = started_time + 60 WHERE resource_id = 'r1' AND started_time =
    (SELECT max(started_time) FROM statement WHERE resource_id = 'r1')`)
  const tailsOf = (charges: Charges) => {
    const { tails, resources: all } = bookOf(charges)
    return new Map(tails.map(({ resource, from, until }) => [all[resource]?.id, [from, until]]))
  }
  const after = await readCharges(database, 'a', before, now - 35 * aDay)
  expect(tailsOf(after)).toEqual(tailsOf(await readCharges(database, 'a')))
})

it('a question about a month is answered before older statements are read, and one about all time after them', async () => {
  const database = await ledgerOfAYear()
  const whole = await readCharges(database, 'a')
  const state: LedgerState = {
    account: 'a',
    revision: 1,
    reading: false,
    complete: true,
    known: whole.count,
    total: whole.count,
    lastSync: now,
    usageLastSync: now,
    failure: null,
  }
  const counts: number[] = []
  const sources = createCostSources({
    isKnown: () => true,
    ledger: { state: () => state, onChange: () => () => undefined },
    store: { database: () => database, onChange: () => () => undefined },
    now: () => now,
    recentSince: () => now - 40 * aDay,
    changed: () => counts.push(sources.revision('a').charges.count),
    report: (_action, error) => {
      throw error
    },
  })
  const month = now - 30 * aDay
  await Promise.all([
    sources.refresh('a', month).then(() => {
      expect(sources.history('a', month)).toBe('complete')
      expect(sources.history('a', -Infinity)).toBe('partial')
    }),
    sources.refresh('a', -Infinity),
  ])
  expect(sources.history('a', -Infinity)).toBe('complete')
  expect(counts).toHaveLength(2)
  expect(counts[0]).toBeLessThan(whole.count / 3)
  expect(counts[1]).toBe(whole.count)
})

it('reads what every resource has, however many statements that is and whatever its id is', async () => {
  const { database } = await openStore()
  const insert = inserting(database)
  const ids = [
    '',
    'a\0b',
    'a',
    '"\\',
    '\u{1f600}',
    'z',
    ...Array.from({ length: 150 }, (_, index) => `m${String(index)}`),
  ]
  database.transaction(() => {
    for (const [index, id] of ids.entries())
      for (let at = 0; at < (id === 'z' ? 1 : id === 'm7' ? 6_000 : 90); at += 1) {
        const from = now - at * 60 - index
        insert.run(
          `${String(index)} ${String(at)}`,
          id,
          from,
          from + 60,
          1 + at,
          at % 3 === 0 ? 'EUR' : null,
          'paid',
        )
      }
  })
  const charges = await readChargesSince(database, 'a', now - aDay * 10)
  const whole = await readCharges(database, 'a')
  const rowsOf = ({
    count,
    from,
    until,
    millionths,
    resource,
    currency,
    resources: known,
    currencies,
  }: Charges) =>
    Array.from({ length: count }, (_, at) => [
      from[at],
      until[at],
      millionths[at],
      known[resource[at] ?? -1]?.id,
      currencies[currency[at] ?? -1],
    ]).sort((left, right) => (left[0] === right[0] ? (String(left) < String(right) ? -1 : 1) : 0))
  expect(rowsOf(charges)).toEqual(rowsOf(whole))
  expect(new Set(charges.resources.map(({ id }) => id))).toEqual(new Set(ids))
  expect(charges.from.subarray(0, charges.count)).toEqual(whole.from.subarray(0, whole.count))
  expect([...charges.coveredUntil.keys()].sort()).toEqual([...ids].sort())
})
