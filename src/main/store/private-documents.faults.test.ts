import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { installation, type Start } from '../../../test/fixtures/private-documents'
import { documentTable } from './document-table'

const Notes = z.record(z.string(), z.string())
const notesOf = ({ documents }: Start) => documents.section('notes', Notes)
const tableOf = ({ store }: Start) => {
  const file = store.file()
  if (!file) throw new Error('the store is open')
  return documentTable(file)
}
const Things = z.object({
  entries: z.array(z.object({ id: z.string(), name: z.string().default('') })).default([]),
})
describe('a malformed document', () => {
  it('is kept next to the new one, quoted in no report, and does not prevent forgetting an account', async () => {
    const { start } = installation()
    const first = start()
    await first.open()
    first.store.file()?.exec(`INSERT INTO document VALUES ('notes', '{"a":canary-note')`)
    await first.quit()
    const second = start()
    const notes = notesOf(second)
    await second.open()
    await notes.change(() => ({ b: 'new' }))
    await second.documents.forgetAccount('b', () => Promise.resolve())
    expect(second.reports.join()).not.toContain('canary')
    expect([tableOf(second).read('notes.damaged'), tableOf(second).read('notes')]).toEqual([
      '{"a":canary-note',
      {},
    ])
  })
})

it('a document that does not fit the schema is not overwritten if its copy cannot be written', async () => {
  const { start } = installation()
  const first = start()
  await first.open()
  await first.documents
    .section('notes', z.object({ text: z.number().default(1) }).or(z.number()))
    .change(() => 5)
  first.store
    .file()
    ?.exec(
      "CREATE TRIGGER full BEFORE INSERT ON document WHEN NEW.name = 'notes.damaged' BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
  await first.quit()
  const second = start()
  const notes = notesOf(second)
  await notes.change(() => ({ a: 'early' }))
  await second.open()
  expect(tableOf(second).read('notes')).toEqual(5)
  second.store.file()?.exec('DROP TRIGGER full')
  await second.quit()
  const third = start()
  notesOf(third)
  await third.open()
  expect(tableOf(third).read('notes.damaged')).toEqual(5)
})

it('the plain part of a section is saved even if the encrypted file takes no writes', async () => {
  const { start } = installation()
  const first = start()
  const things = first.documents.section('things', Things, ['name'])
  await first.open()
  first.store
    .file()
    ?.exec("CREATE TRIGGER full BEFORE INSERT ON document BEGIN SELECT RAISE(ABORT, 'full'); END")
  await things.change(() => ({ entries: [{ id: 'a', name: 'mine' }] }))
  expect(first.reports).toEqual([expect.stringContaining('store.keepDocument')])
  await first.quit()
  const second = start()
  const again = second.documents.section('things', Things, ['name'])
  expect(again.read()).toEqual({ entries: [{ id: 'a', name: '' }] })
})
