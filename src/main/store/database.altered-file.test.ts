import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import { documentTable } from './document-table'
import type { Database, Store } from './database'

const account = 'abcdefghij12'

const databaseOf = (store: Store): Database => {
  const database = store.file()
  if (!database) throw new Error(`the store did not open: ${JSON.stringify(store.state())}`)
  return database
}
const contentOf = (database: Database) => ({
  statements: database.prepare('SELECT * FROM statement').arrays(),
  notes: documentTable(database).read('notes'),
})

/** A store with statements and a document, after a close or after a crash. */
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
  const early = contentOf(database)
  if (end === 'closed') await store.close()
  else {
    store.checkpoint()
    const digest = () => readFileSync(join(folder, 'wheelhouse.db.digest'), 'utf8')
    await expect.poll(digest).toMatch(/^[0-9a-f]{64}$/m)
    insert.run(account, 'in-the-log', 0, 3_600, 7)
  }
  const content = end === 'closed' ? early : contentOf(database)
  const left = storeFolder()
  cpSync(folder, left, { recursive: true, filter: (path) => !path.endsWith('-shm') })
  return { left, secrets, content, early }
}

/** Opens a copy of the folder with one byte of the file altered. */
const openAltered = async (
  { left, secrets }: Awaited<ReturnType<typeof filledStore>>,
  offset: number | null,
  file = 'wheelhouse.db',
) => {
  const folder = storeFolder()
  for (const name of readdirSync(left)) copyFileSync(join(left, name), join(folder, name))
  const path = join(folder, file)
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
  return { isReported: state.kind === 'open' && state.quarantined !== null, content }
}

it('an altered byte anywhere in the closed file is detected, and the file is quarantined', async () => {
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

it('a file that was not closed opens with the last writes', async () => {
  const filled = await filledStore('crashed')
  expect(await openAltered(filled, null)).toEqual({ isReported: false, content: filled.content })
})

it('an altered byte anywhere in the file is detected after a crash', async () => {
  const filled = await filledStore('crashed')
  const size = readFileSync(join(filled.left, 'wheelhouse.db')).length
  expect(size).toBeGreaterThan(40_000)
  for (let offset = 5; offset < size; offset += 7_571) {
    const { isReported, content } = await openAltered(filled, offset)
    expect(isReported, String(offset)).toBe(true)
    expect(content).toEqual({ statements: [], notes: undefined })
  }
})

it('an altered byte in the log after a crash changes no number, but the last writes are missing', async () => {
  const filled = await filledStore('crashed')
  const size = readFileSync(join(filled.left, 'wheelhouse.db-wal')).length
  expect(size).toBeGreaterThan(4_000)
  for (let offset = 40; offset < size; offset += 997) {
    const { content } = await openAltered(filled, offset, 'wheelhouse.db-wal')
    expect([filled.early, filled.content]).toContainEqual(content)
  }
})

it('a crash during a checkpoint leaves a file that opens', async () => {
  const filled = await filledStore('crashed')
  writeFileSync(join(filled.left, 'wheelhouse.db.digest'), 'changing\n')
  expect(await openAltered(filled, null)).toEqual({ isReported: false, content: filled.content })
})

it.each([
  ['half of a word', 'chan'],
  ['half of a digest', '2da9137ee4deb3c3'],
  ['what a power cut leaves of a file that was being written', '\0'.repeat(9)],
])('a digest that consists only of %s quarantines nothing', async (_, text) => {
  const filled = await filledStore('crashed')
  writeFileSync(join(filled.left, 'wheelhouse.db.digest'), text)
  expect(await openAltered(filled, null)).toEqual({ isReported: false, content: filled.content })
})
