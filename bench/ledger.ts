// A first reading of 100,000 statements into the encrypted store, and a month of them by day. Yardstick: plain libsql
// with the same inserts, in the same transactions, and the same query, alternately. The service answers from memory,
// as its pages are not measured.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { pageSizes } from '#shared/page-sizes'
import type { Statement } from '#shared/service/billing'
import type { Page, PageQuery } from '#shared/service/page'
import { createLedgerCosts } from '../src/main/billing/ledger-costs'
import { type CostBook, costBook } from '../src/main/billing/costs/cost-book'
import { costSeries } from '../src/main/billing/costs/days'
import { accountLedger } from '../src/main/billing/ledger/account-ledger'
import { statementRow } from '../src/main/billing/ledger/rows'
import { schema } from '../src/main/store/schema'
import { loadSqlLibrary } from '../src/main/store/sql-library'
import { openStoreDatabase, pragmas } from '../src/main/store/store-database'
import { addDays, bounds, calendarIn } from '../src/shared/money/calendar'
import { alternate, compare, elapsed, finish, pick } from './support/compare'
import { median } from './support/median'

const goals = { sync: 1.25, month: 3, again: 1 }
const rounds = Number(process.argv[2] ?? 15)
const [resources, days] = [200, 500]
const aDay = 86_400
const now = Date.parse('2026-07-15T12:00:00Z') / 1000
const account = 'abcdefghijkl'

const idOf = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 24)

/** Newest first, as from the service. */
const statements: readonly Statement[] = Array.from({ length: days * resources }, (_, index) => {
  const [day, resource] = [Math.floor(index / resources), index % resources]
  const from = Math.floor(now / aDay) * aDay - day * aDay + (resources - resource)
  return {
    id: idOf(`statement ${String(index)}`),
    resource_id: idOf(`resource ${String(resource)}`),
    resource_type: resource % 4 === 0 ? 'volume' : 'vm',
    status: day === 0 ? 'pending' : 'paid',
    started_time: from,
    due_time: Math.min(from + aDay, now),
    type: 'lease_fee',
    amount: (59_760_000 + index) / 1_000_000,
  }
})

const pageOf = ({ limit = pageSizes.ledger, offset = 0 }: PageQuery): Promise<Page<Statement>> =>
  Promise.resolve({ items: statements.slice(offset, offset + limit), total: statements.length })

const calendar = calendarIn('America/New_York')
const today = calendar.dateAt(now)
const month = bounds(calendar, addDays(today, -30), addDays(today, 1), 'day')
const byDay = `SELECT (started_time - 14400) / 86400 AS day, currency, sum(millionths) AS sum FROM statement
  WHERE account = ? AND started_time >= ? GROUP BY day, currency`

interface Spent {
  readonly sync: number
  /** A month by day, first and repeated. */
  readonly month: number
  readonly again: number
}

const key = (): string => randomBytes(32).toString('hex')
async function inFolder(work: (path: string) => Promise<Spent>): Promise<Spent> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  try {
    return await work(join(folder, 'wheelhouse.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const library = await loadSqlLibrary()

const stalls: number[] = []

const product = (): Promise<Spent> =>
  inFolder(async (path) => {
    const opened = openStoreDatabase(library, {
      path,
      key: key(),
      schema,
      isVerified: true,
      onFault: () => undefined,
    })
    if (opened.kind !== 'open') throw new Error(opened.kind)
    const { database } = opened
    let longest = 0
    let last = Infinity
    const busy = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 0)
    const ledger = accountLedger({
      account,
      billing: () => ({
        statements: pageOf,
        usage: () => Promise.resolve({ items: [], total: 0 }),
      }),
      database: () => database,
      timeZone: () => 'America/New_York',
      now: () => now,
      publish: () => undefined,
    })
    const sync = await elapsed(ledger.refresh)
    const { known, complete } = ledger.state()
    if (!complete || known !== statements.length) throw new Error('the first reading is not complete')
    clearInterval(busy)
    stalls.push(longest)
    const costs = createLedgerCosts({
      isKnown: () => true,
      ledger: { state: () => ledger.state(), onChange: () => () => undefined },
      store: { database: () => database, onChange: () => () => undefined },
      timeZone: () => calendar.timeZone,
      now: () => now,
      changed: () => undefined,
      report: (_action, error) => {
        throw error
      },
    })
    // The book stays for the next query, as in main/billing/spending-views.ts.
    let book: CostBook | undefined
    const ask = async (): Promise<void> => {
      await costs.refresh(account)
      book ??= costBook({
        charges: costs.charges(account),
        usage: [],
        seen: () => undefined,
        currencyOf: (_resource, reported) => ({ currency: reported ?? 'USD', assumed: reported === null }),
        now,
        tomorrow: calendar.startOf(addDays(today, 1)),
        runsUntil: now,
      })
      costSeries(book, month, 'total', 10)
    }
    const first = await elapsed(ask)
    const again = await elapsed(ask)
    database.close()
    return { sync, month: first, again }
  })

const bare = (): Promise<Spent> =>
  inFolder(async (path) => {
    const options = { timeout: 0, encryptionCipher: 'aes256cbc', encryptionKey: key() }
    const database = new Libsql(path, options)
    database.exec(pragmas)
    database.exec(schema.sql)
    const rows = statements.map(statementRow)
    const sync = await elapsed(() => {
      const insert = database.prepare(
        `INSERT INTO statement (account, seen_sweep, id, resource_id, resource_type, started_time, due_time, type,
           status, millionths, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      for (let from = 0; from < rows.length; from += pageSizes.ledger) {
        database.exec('BEGIN')
        for (const row of rows.slice(from, from + pageSizes.ledger)) insert.run([account, 1, ...row])
        database.exec('COMMIT')
      }
    })
    const ask = () => database.prepare(byDay).all([account, month[0]])
    const first = await elapsed(ask)
    const again = await elapsed(ask)
    database.close()
    return { sync, month: first, again }
  })
const measured = await alternate({ rounds, ours: product, yardstick: bare })
console.log(`${String(statements.length)} statements`)
const firstMonth = compare(
  'a month by day, the first time',
  'ms',
  pick(measured, ({ month }) => month),
  goals.month,
)
const again = compare(
  'a month by day, again',
  'ms',
  pick(measured, (spent) => spent.again),
  goals.again,
)
const ratio = compare(
  'first reading',
  'ms',
  pick(measured, ({ sync }) => sync),
  goals.sync,
)
console.log(`longest that anything else had to wait meanwhile: ${median(stalls).toFixed(0)} ms`)
finish({ bench: 'ledger', ratio, unit: 'ms', runs: rounds, goal: goals.sync, month: firstMonth, again })
