import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Statement } from '../../src/shared/service/billing'
import { pageSizes } from '../../src/shared/page-sizes'
import { accountLedger } from '../../src/main/billing/ledger/account-ledger'
import { storedCharges } from '../../src/main/billing/stored-charges'
import type { GpuSample } from '../../src/main/gpu/telemetry/gpu-samples'
import { sampleTable } from '../../src/main/gpu/telemetry/sample-table'
import { schema } from '../../src/main/store/schema'
import type { SqlLibrary } from '../../src/main/store/sql-library'
import { openStoreDatabase } from '../../src/main/store/store-database'
import type { Subject } from './exponent'

const now = Date.parse('2026-07-15T12:00:00Z') / 1000
const account = 'abcdefghijkl'
const [aDay, minute, resources] = [86_400, 60, 200]

const folders: string[] = []
/** A separate encrypted store on disk. */
function openStore(library: SqlLibrary) {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  folders.push(folder)
  const opened = openStoreDatabase(library, {
    path: join(folder, 'wheelhouse.db'),
    key: randomBytes(32).toString('hex'),
    schema,
    isVerified: true,
    onFault: () => undefined,
  })
  if (opened.kind !== 'open') throw new Error(opened.kind)
  return opened.database
}
export const removeStores = (): void =>
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }))

/** Newest first, as from the service: each resource has one a day. */
const statementsOf = (count: number): readonly Statement[] =>
  Array.from({ length: count }, (_, index) => {
    const [day, resource] = [Math.floor(index / resources), index % resources]
    const from = Math.floor(now / aDay) * aDay - day * aDay + (resources - resource)
    return {
      id: `statement-${String(index).padStart(12, '0')}`,
      resource_id: `resource-${String(resource)}`,
      resource_type: resource % 4 === 0 ? 'volume' : 'vm',
      status: day === 0 ? 'pending' : 'paid',
      started_time: from,
      due_time: Math.min(from + aDay, now),
      type: 'lease_fee',
      amount: (59_760_000 + index) / 1_000_000,
    }
  })

/** A first reading of the statements into the store, and all days of their costs from it. */
export const ledger = (library: SqlLibrary): Subject => ({
  name: 'ledger',
  first: 1_000,
  prepare(size) {
    const statements = statementsOf(size)
    return async () => {
      const database = openStore(library)
      const reading = accountLedger({
        account,
        billing: () => ({
          statements: ({ limit = pageSizes.ledger, offset = 0 }) =>
            Promise.resolve({ items: statements.slice(offset, offset + limit), total: size }),
          usage: () => Promise.resolve({ items: [], total: 0 }),
        }),
        database: () => database,
        timeZone: () => 'America/New_York',
        now: () => now,
        publish: () => undefined,
      })
      await reading.refresh()
      if (reading.state().known !== size) throw new Error('not all statements are known')
      const days = storedCharges(database, account).days(-Infinity, Infinity)
      database.close()
      return days
    }
  },
})

/** Minutes of eight GPUs, written to the store and read again for a chart. */
export const telemetry = (library: SqlLibrary): Subject => ({
  name: 'telemetry',
  first: 20 * 8,
  prepare(size) {
    const samples = Array.from({ length: size }, (_, at): GpuSample => ({
      gpu: `GPU-${String(at % 8)}`,
      index: at % 8,
      time: 1_780_000_000 + Math.floor(at / 8) * minute,
      samples: 15,
      utilization: at % 100,
      utilizationMax: 100,
      activity: null,
      isEstimated: false,
      memoryUsed: 40_000,
      memoryTotal: 81_559,
      temperatureMax: 70,
      power: 600,
    }))
    return () => {
      const database = openStore(library)
      const table = sampleTable(database)
      // Like readings: a minute of all GPUs together.
      for (let at = 0; at < size; at += 8) table.add(account, 'machine', samples.slice(at, at + 8))
      const read = table.read(account, 'machine', minute, 0)
      database.close()
      return read
    }
  },
})
