// The queries of the charts on the billing page, over 1,000,000 statements of 2,000 resources in an encrypted file.
// The user's midnight splits each of the service's days; sums per day are built once. Yardstick: plain libsql with
// the same days.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costDayTable } from '../src/main/billing/cost-day-table'
import { costBook } from '../src/main/billing/costs/cost-book'
import { costSeries } from '../src/main/billing/costs/days'
import { disagreements } from '../src/main/billing/costs/disagreements'
import { gpuCosts } from '../src/main/billing/costs/gpus'
import { momentsAt } from '../src/main/billing/costs/periods'
import { resourceCosts } from '../src/main/billing/costs/resources'
import { spendingOf } from '../src/main/billing/costs/spending-totals'
import { usageRecordOf } from '../src/main/billing/costs/usage-record'
import { storedCharges } from '../src/main/billing/stored-charges'
import { schema } from '../src/main/store/schema'
import { loadSqlLibrary } from '../src/main/store/sql-library'
import { openStoreDatabase } from '../src/main/store/store-database'
import { addDays, bounds, calendarIn } from '../src/shared/money/calendar'
import { alternate, compare, elapsed, finish, pick } from './support/compare'
import { median } from './support/median'

/** Upper bound on the milliseconds of any query (each chart's query). */
const goal = 50
const rounds = Number(process.argv[2] ?? 25)
const [resources, days] = [2_000, 500]
const aDay = 86_400
const now = Date.parse('2026-07-15T12:00:00Z') / 1000
const account = 'abcdefghijkl'
const perDay = 59_760_000

const time = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return performance.now() - from
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
try {
  const opened = openStoreDatabase(await loadSqlLibrary(), {
    path: join(folder, 'wheelhouse.db'),
    key: randomBytes(32).toString('hex'),
    schema,
    isVerified: true,
    onFault: () => undefined,
  })
  if (opened.kind !== 'open') throw new Error(opened.kind)
  const { database } = opened
  const first = Math.floor(now / aDay) * aDay - (days - 1) * aDay
  const calendar = calendarIn('America/New_York')
  const costDays = costDayTable(database, account, () => calendar.timeZone)
  const insert = database.prepare(
    `INSERT INTO statement (account, id, resource_id, resource_type, started_time, due_time, type, status,
       millionths, currency, seen_sweep) VALUES (?, ?, ?, ?, ?, ?, 'lease_fee', 'paid', ?, ?, 1)`,
  )
  database.transaction(() => {
    for (let day = 0; day < days; day += 1)
      for (let resource = 0; resource < resources; resource += 1) {
        const from = first + day * aDay
        const until = Math.min(from + aDay, now)
        const id = `${String(day)}-${String(resource)}-0123456789abcdef`
        const name = `resource-${String(resource)}`
        const type = resource % 4 === 0 ? 'volume' : 'vm'
        const currency = resource % 10 === 0 ? 'EUR' : null
        insert.run(account, id, name, type, from, until, perDay + resource, currency)
      }
  })
  database.exec('ANALYZE')
  // The ledger writes all of this with each page of statements: bench/ledger.ts measures that.
  database
    .prepare(
      `INSERT INTO cost_line (account, resource_id, currency, last_end)
       SELECT account, resource_id, coalesce(currency, ''), max(due_time) FROM statement
       GROUP BY 1, 2, 3`,
    )
    .run()
  database
    .prepare(
      `INSERT INTO covered_time (account, resource_id, since, until)
       SELECT account, resource_id, min(started_time), max(due_time) FROM statement GROUP BY 1, 2`,
    )
    .run()
  const rebuilt = await elapsed(() => costDays.rebuild(calendar.timeZone))
  console.log(`${String(days * resources)} statements, added up by day in ${rebuilt.toFixed(0)} ms, in steps`)

  const today = calendar.dateAt(now)
  const ends = addDays(today, 1)

  const usage = Array.from({ length: resources }, (_, index) =>
    usageRecordOf({
      id: `usage-${String(index)}`,
      resource: `resource-${String(index)}`,
      name: null,
      type: index % 4 === 0 ? 'volume' : 'vm',
      perMinute: '0.0415',
      life: days * (perDay + index),
      minutes: null,
      created: first,
      terminated: null,
      status: 'active',
      currency: null,
      reportedAt: now,
    }),
  )
  const charges = storedCharges(database, account)
  const book = () =>
    costBook({
      charges,
      usage,
      seen: (id) => ({
        id,
        kind: 'machine',
        name: id,
        flavor: null,
        gpu: ['H100', 'A100', 'L40S', 'RTX 4090'][id.length % 4] ?? null,
        gpuCount: 8,
        region: 'Virginia',
        currency: null,
        firstSeen: 0,
        lastSeen: 0,
      }),
      currencyOf: (_resource, reported) => ({ currency: reported ?? 'USD', assumed: reported === null }),
      now,
      tomorrow: calendar.startOf(ends),
      runsUntil: now,
    })
  const month = bounds(calendar, addDays(today, -30), ends, 'day')
  const year = bounds(calendar, addDays(today, -365), ends, 'day')
  const span = (moments: readonly number[]) => [moments[0] ?? 0, moments.at(-1) ?? 0] as const
  const some = { all: false, only: null }

  // Each question builds a book of costs and reads the days that it needs from the store.
  const questions: Readonly<Record<string, () => unknown>> = {
    'spending now, today, this month, last month, forecast': () =>
      spendingOf(book(), momentsAt(calendar, now)),
    '30 days, together': () => costSeries(book(), month, 'total', 10),
    '30 days by resource': () => costSeries(book(), month, 'resource', 10),
    '365 days, together': () => costSeries(book(), year, 'total', 10),
    '365 days by resource': () => costSeries(book(), year, 'resource', 10),
    '365 days by type': () => costSeries(book(), year, 'type', 10),
    '365 days by GPU model': () => costSeries(book(), year, 'gpu', 10),
    'what each resource has cost': () =>
      resourceCosts(book(), -Infinity, Infinity, { all: true, only: null }),
    'cost per GPU-hour in 365 days': () => gpuCosts(resourceCosts(book(), ...span(year), some)),
    disagreements: () => disagreements(book()),
  }
  // The share of each statement per day, and its sum by day and currency.
  const bare = database.prepare(
    `WITH part (day, currency, amount) AS (
       SELECT (started_time + ?1) / 86400, currency,
         millionths * (min(due_time, ((started_time + ?1) / 86400 + 1) * 86400 - ?1) - started_time)
           / (due_time - started_time)
       FROM statement WHERE account = ?2 AND started_time >= ?3
       UNION ALL
       SELECT (started_time + ?1) / 86400 + 1, currency,
         millionths * (due_time - min(due_time, ((started_time + ?1) / 86400 + 1) * 86400 - ?1))
           / (due_time - started_time)
       FROM statement WHERE account = ?2 AND started_time >= ?3)
     SELECT day, currency, sum(amount) FROM part GROUP BY day, currency`,
  )
  const inSql = (): unknown => bare.arrays(-4 * 3600, account, (year[0] ?? 0) - aDay)

  const names = Object.keys(questions)
  // One book and one SQL query for each query of the page, alternately.
  const measured = await alternate({
    rounds,
    ours: () => Object.fromEntries(Object.entries(questions).map(([name, ask]) => [name, time(ask)])),
    yardstick: () => {
      const spent = time(inSql)
      return Object.fromEntries(names.map((name) => [name, spent]))
    },
  })
  const of = (name: string) => pick(measured, (spent) => spent[name] ?? Number.NaN)
  for (const name of names) console.log(`${name}: ${median(of(name).ours).toFixed(1)} ms`)
  const slowest = Number(Math.max(...names.map((name) => median(of(name).ours))).toFixed(1))
  const ratio = compare('365 days, together', 'ms', of('365 days, together'), 1)
  console.log(`the slowest question: ${String(slowest)} ms, goal ≤ ${String(goal)}`)
  finish({ bench: 'cost', ratio, unit: 'ms', runs: rounds, goal: 1, slowest, slowestGoal: goal })
  database.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
