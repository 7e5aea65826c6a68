import { addDays, calendarIn } from '#shared/money/calendar'
import { openMemoryDatabase } from '../../store/store-database'
import { schema } from '../../store/schema'
import { loadSqlLibrary } from '../../store/sql-library'
import type { Database } from '../../store/sql'
import { costDayTable } from '../cost-day-table'
import type { Row } from '../ledger/rows'
import { ledgerTable } from '../ledger/tables'
import type { SeenResource } from '../resource-history'
import { storedCharges } from '../stored-charges'
import type { Charge, StoredCharges } from './charge'
import { type CostBook, costBook } from './cost-book'
import { usageRecordOf, type UsageRecord } from './usage-record'

const library = await loadSqlLibrary()

/** Epoch seconds of a moment in ISO 8601. */
export const time = (text: string): number => Date.parse(text) / 1000

export const dollars = (amount: number): number => Math.round(amount * 1_000_000)

/** A statement of the machine `m`, in an amount of dollars. */
export const charge = (from: string, until: string, amount: number, more: Partial<Charge> = {}): Charge => ({
  resource: 'm',
  type: 'vm',
  from: time(from),
  until: time(until),
  millionths: dollars(amount),
  currency: 'USD',
  ...more,
})

/** Usage of the machine `m`, active at a cent a minute. */
export const usage = (
  more: Partial<Omit<UsageRecord, 'fee'>> & { readonly perMinute?: string | null } = {},
): UsageRecord =>
  usageRecordOf({
    id: `usage of ${more.resource ?? 'm'}`,
    resource: 'm',
    name: more.resource ?? 'm',
    type: 'vm',
    perMinute: '0.01',
    life: null,
    minutes: null,
    created: time('2026-01-01T00:00:00Z'),
    terminated: null,
    status: 'active',
    currency: 'USD',
    reportedAt: time('2026-01-01T00:00:00Z'),
    ...more,
  })

export const seen = (id: string, more: Partial<SeenResource> = {}): SeenResource => ({
  id,
  kind: 'machine',
  name: id,
  flavor: 'h100-1x',
  gpu: 'H100',
  gpuCount: 1,
  region: 'Virginia',
  currency: null,
  firstSeen: 0,
  lastSeen: 0,
  ...more,
})

const account = 'a'

/** Row of a paid statement with this charge. */
export const rowOf = ({ resource, type, from, until, millionths, currency }: Charge, id: string): Row => [
  id,
  resource,
  type ?? '',
  from,
  until,
  'lease_fee',
  'paid',
  millionths,
  currency,
]

function memoryDatabase(): Database {
  const database = openMemoryDatabase(library, schema)
  if (!database) throw new Error('no database in memory')
  return database
}

/** Statements of an account in a database of their own. */
export function statementsIn(zone: string, database = memoryDatabase()) {
  const costDays = costDayTable(database, account, () => zone)
  const table = ledgerTable(database, account, 'statements', costDays)
  return {
    database,
    costDays,
    table,
    put: (rows: readonly Row[]): number => table.transaction(() => table.put(rows, 1, 0)),
    charges: (): StoredCharges => storedCharges(database, account),
  }
}

function stored(charges: readonly Charge[], zone: string): StoredCharges {
  const statements = statementsIn(zone)
  statements.put(charges.map((one, index) => rowOf(one, String(index))))
  return statements.charges()
}

export interface BookDeps {
  readonly charges?: readonly Charge[] | StoredCharges
  readonly usage?: readonly UsageRecord[]
  readonly seen?: readonly SeenResource[]
  readonly now: string
  readonly runsUntil?: string
  /** Time zone of the days. */
  readonly zone?: string
}

/** Book of costs in which an unreported currency counts as dollars. */
export function bookOf({
  charges = [],
  usage: records = [],
  seen: known = [],
  now,
  runsUntil,
  zone = 'UTC',
}: BookDeps): CostBook {
  const calendar = calendarIn(zone)
  return costBook({
    charges: 'days' in charges ? charges : stored(charges, zone),
    usage: records,
    seen: (resource) => known.find(({ id }) => id === resource),
    currencyOf: (_resource, reported) =>
      reported === null ? { currency: 'USD', assumed: true } : { currency: reported, assumed: false },
    now: time(now),
    tomorrow: calendar.startOf(addDays(calendar.dateAt(time(now)), 1)),
    runsUntil: time(runsUntil ?? now),
  })
}
