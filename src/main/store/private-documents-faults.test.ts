import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
const copyOf = (note: string): string => JSON.stringify({ notes: { a: note, b: 'other' }, app: { theme: 5 } })

describe('copies of the settings in quarantine', () => {
  it('of the same name, one after the other, are all kept', async () => {
    const { folder, start } = installation()
    for (const text of ['first', 'second', 'second']) {
      writeFileSync(join(folder, 'settings.damaged-1.json'), copyOf(text))
      const run = start()
      notesOf(run)
      await run.open()
      await run.settings.flushed()
      await run.quit()
    }
    const last = start()
    await last.open()
    const table = tableOf(last)
    const copies = table.names().filter((name) => name.startsWith('copy/'))
    expect(copies.map((name) => table.read(name))).toEqual([copyOf('first'), copyOf('second')])
  })

  it('that waited in memory for a keychain have reached the disk once the file opens', async () => {
    const { folder, start, keychain } = installation()
    keychain.failing = 'Cannot autolaunch D-Bus without X11 $DISPLAY'
    writeFileSync(join(folder, 'settings.damaged-1.json'), copyOf('canary'))
    const run = start()
    notesOf(run)
    await run.open()
    expect(run.store.state().kind).toBe('no-keychain')
    expect(run.documents.copies.list()).toHaveLength(1)
    keychain.failing = null
    await run.retry()
    expect([tableOf(run).read('copy/settings.damaged-1.json'), run.documents.copies.list()]).toEqual([
      copyOf('canary'),
      [],
    ])
    expect(statSync(join(folder, 'wheelhouse.db-wal')).size).toBe(0)
  })

  it('that cannot be read keep nothing else from being opened', async () => {
    const { folder, start } = installation()
    const first = start()
    await first.open()
    await notesOf(first).change(() => ({ a: 'kept' }))
    await first.quit()
    mkdirSync(join(folder, 'settings.damaged-1.json'))
    const second = start()
    const notes = notesOf(second)
    await second.open()
    expect(notes.read()).toEqual({ a: 'kept' })
    expect(second.reports).toEqual([expect.stringContaining('store.readCopy')])
  })

  it('lose an account that is forgotten, and go where that cannot be cut out', async () => {
    const { folder, start } = installation()
    writeFileSync(join(folder, 'settings.damaged-1.json'), copyOf('canary'))
    writeFileSync(join(folder, 'settings.damaged-2.json'), '{"notes":{"a":"canary"')
    writeFileSync(join(folder, 'settings.damaged-3.json'), '{"notes":{"b":"other"')
    writeFileSync(join(folder, 'settings.damaged-4.json'), '{"notes":{"a/vm-1":"other"')
    const run = start()
    notesOf(run)
    await run.open()
    await run.documents.forgetAccount('a', () => Promise.resolve())
    const table = tableOf(run)
    const copies = table.names().filter((name) => name.startsWith('copy/'))
    expect(copies.map((name) => table.read(name))).toEqual([
      JSON.stringify({ notes: { b: 'other' }, app: { theme: 5 } }),
      '{"notes":{"b":"other"',
    ])
  })

  it('stay where their owner finds them if they hold nothing private', async () => {
    const { folder, start } = installation()
    writeFileSync(join(folder, 'settings.damaged-1.json'), '{"app":{"theme":"dark"')
    const run = start()
    notesOf(run)
    await run.open()
    await run.settings.flushed()
    expect(readdirSync(folder)).toContain('settings.damaged-1.json')
  })
})

describe('a document that is no JSON', () => {
  it('is kept beside the new one, quoted in no report, and keeps no account from being forgotten', async () => {
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

describe('what an older version wrote after a newer one', () => {
  it('is added to what the newer one kept, once', async () => {
    const { folder, start } = installation()
    const plain = (notes: Readonly<Record<string, string>>) =>
      writeFileSync(join(folder, 'settings.json'), JSON.stringify({ notes }))
    plain({ a: 'before' })
    const first = start()
    const kept = notesOf(first)
    await first.open()
    await kept.change((all) => ({ ...all, b: 'newer' }))
    await first.quit()
    const later = { a: 'typed in the older version', c: 'more' }
    plain(later)
    const second = start()
    const notes = notesOf(second)
    await second.open()
    expect(notes.read()).toEqual({ ...later, b: 'newer' })
    await notes.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== 'c')))
    await second.quit()
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).not.toContain('typed')
    // A crash before it was erased.
    plain(later)
    const third = start()
    const last = notesOf(third)
    await third.open()
    expect(last.read()).toEqual({ a: later.a, b: 'newer' })
  })
})

it('a document that does not fit is not written over where its copy cannot be kept', async () => {
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

it('what the settings may hold of a section is kept where the encrypted file takes nothing', async () => {
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

it('names that an older version wrote stay in plain text where the encrypted file does not take them', async () => {
  const { folder, start } = installation()
  const full = "CREATE TRIGGER full BEFORE INSERT ON document BEGIN SELECT RAISE(ABORT, 'full'); END"
  const first = start()
  await first.open()
  first.store.file()?.exec(full)
  await first.quit()
  const entries = [{ id: 'a', name: 'canary' }]
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ things: { entries } }))
  const second = start()
  second.documents.section('things', Things, ['name'])
  await second.open()
  await second.settings.flushed()
  expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toContain('canary')
  second.store.file()?.exec('DROP TRIGGER full')
  await second.quit()
  const third = start()
  const things = third.documents.section('things', Things, ['name'])
  await third.open()
  await third.settings.flushed()
  expect(things.read()).toEqual({ entries })
  expect(readFileSync(join(folder, 'settings.json'), 'utf8')).not.toContain('canary')
})
