import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import { documentTable } from './document-table'
import type { Database, Store } from './database'

const account = 'abcdefghij12'

/** The database of a store that has opened. */
const databaseOf = (store: Store): Database => {
  const database = store.file()
  if (!database) throw new Error(`the store did not open: ${JSON.stringify(store.state())}`)
  return database
}
const contentOf = (database: Database) => ({
  statements: database.prepare('SELECT * FROM statement').arrays(),
  notes: documentTable(database).read('notes'),
})

/** A store with statements and a document, as it is when it was closed, or as a crash leaves it. */
const filledStore = async (end: 'closed' | 'crashed') => {
  const secrets = memorySecrets()
  const { folder, store } = makeStore({ secrets })
  await store.open()
  const database = databaseOf(store)
  const insert = database.prepare(
    "INSERT INTO statement VALUES (?, ?, 'r', 'vm', ?, ?, 'hourly', 'paid', ?, 'USD', 1)",
  )
  for (let hour = 0; hour < 200; hour += 1)
    insert.run(account, `statement-${String(hour)}`, hour * 3_600, (hour + 1) * 3_600, 1_234_567 + hour)
  documentTable(database).write('notes', { m1: 'remember the milk '.repeat(300) })
  const content = contentOf(database)
  if (end === 'closed') await store.close()
  else database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const left = storeFolder()
  cpSync(folder, left, { recursive: true, filter: (path) => !path.endsWith('-shm') })
  return { left, secrets, content }
}

/** What comes of opening a copy of the folder in which one byte of the file is another. */
const openAltered = async (
  { left, secrets }: Awaited<ReturnType<typeof filledStore>>,
  offset: number | null,
) => {
  const folder = storeFolder()
  for (const name of readdirSync(left)) copyFileSync(join(left, name), join(folder, name))
  const path = join(folder, 'wheelhouse.db')
  const bytes = readFileSync(path)
  if (offset !== null) {
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset)
    writeFileSync(path, bytes)
  }
  const { store } = makeStore({ folder, secrets })
  await store.open()
  const state = store.state()
  const content = contentOf(databaseOf(store))
  await store.close()
  return { isReported: state.kind === 'open' && state.setAside !== null, content }
}

it('a byte that was altered in the closed file is noticed wherever it lies, and the file is set aside', async () => {
  const filled = await filledStore('closed')
  const size = readFileSync(join(filled.left, 'wheelhouse.db')).length
  expect(size).toBeGreaterThan(40_000)
  expect(await openAltered(filled, null)).toEqual({ isReported: false, content: filled.content })
  for (let offset = 5; offset < size; offset += 1_571) {
    const { isReported, content } = await openAltered(filled, offset)
    expect(isReported, String(offset)).toBe(true)
    expect(content).toEqual({ statements: [], notes: undefined })
  }
})

it('a file that was not closed opens without its digest', async () => {
  const filled = await filledStore('crashed')
  expect(await openAltered(filled, null)).toEqual({ isReported: false, content: filled.content })
})
