import { expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import type { Database, SqlRow } from './database'
import { type Migration, schemaVersion } from './migrate'
import { migrations } from './migrations/index'

const tables = (database: Database | undefined): readonly unknown[] | undefined =>
  database?.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").arrays().flat()

/** What a database holds after these steps, and its version. */
const at = async (folder: string, secrets: ReturnType<typeof memorySecrets>, steps: readonly Migration[]) => {
  const { store } = makeStore({ folder, secrets, migrations: steps })
  await store.open()
  return store
}

it('steps are numbered from 1 without a gap', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
})

it('a database of any earlier version ends with the schema of a new one', async () => {
  const fresh = await at(storeFolder(), memorySecrets(), migrations)
  const schemaOf = (database: Database | undefined): readonly SqlRow[] | undefined =>
    database?.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  for (const { version } of migrations) {
    const [folder, secrets] = [storeFolder(), memorySecrets()]
    const older = await at(folder, secrets, migrations.slice(0, version - 1))
    await older.close()
    const store = await at(folder, secrets, migrations)
    const database = store.database()
    expect(database && schemaVersion(database)).toBe(migrations.length)
    expect(schemaOf(database)).toEqual(schemaOf(fresh.database()))
  }
})

it('a step keeps what is there', async () => {
  const [folder, secrets] = [storeFolder(), memorySecrets()]
  const one = {
    version: 1,
    name: 'one',
    sql: 'CREATE TABLE kept (x INTEGER) STRICT; INSERT INTO kept VALUES (7)',
  }
  const two = { version: 2, name: 'two', sql: "ALTER TABLE kept ADD COLUMN y TEXT DEFAULT 'new'" }
  const older = await at(folder, secrets, [one])
  await older.close()
  const store = await at(folder, secrets, [one, two])
  expect(store.database()?.prepare('SELECT x, y FROM kept').all()).toEqual([{ x: 7, y: 'new' }])
})

it('a ledger of any earlier version keeps its rows, and the new indexes have all of them', async () => {
  for (const { version } of migrations) {
    const [folder, secrets] = [storeFolder(), memorySecrets()]
    const older = await at(folder, secrets, migrations.slice(0, version))
    older.database()?.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500)
      INSERT INTO statement (account, id, resource_id, resource_type, started_time, due_time, millionths, seen_sweep)
      SELECT 'a', 's' || n, 'r' || (n % 7), 'vm', n * 3600, (n + n % 5 - 1) * 3600, n, 1 FROM n`)
    const rowsOf = (database: Database | undefined) =>
      database
        ?.prepare(
          `SELECT account, id, resource_id, resource_type, started_time, due_time, type, status, millionths, currency,
             seen_sweep FROM statement ORDER BY started_time, id`,
        )
        .all()
    const rows = rowsOf(older.database())
    await older.close()
    const database = (await at(folder, secrets, migrations)).database()
    expect(rowsOf(database)).toEqual(rows)
    expect(database?.prepare('PRAGMA integrity_check').arrays()).toEqual([['ok']])
  }
})

it('a step that fails leaves the file as it was, says so, and can be tried again', async () => {
  const [folder, secrets] = [storeFolder(), memorySecrets()]
  const one = {
    version: 1,
    name: 'one',
    sql: 'CREATE TABLE kept (x INTEGER) STRICT; INSERT INTO kept VALUES (7)',
  }
  const wrong = {
    version: 2,
    name: 'wrong',
    sql: 'CREATE TABLE half (x TEXT); INSERT INTO absent VALUES (1)',
  }
  const older = await at(folder, secrets, [one])
  await older.close()
  const broken = await at(folder, secrets, [one, wrong])
  expect(broken.state()).toMatchObject({ kind: 'failed' })
  await broken.close()
  const store = await at(folder, secrets, [one])
  expect(store.state()).toEqual({ kind: 'open', quarantined: null })
  expect(tables(store.database())).toEqual(['kept'])
})
