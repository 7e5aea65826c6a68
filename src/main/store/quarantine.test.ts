import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { installation } from '../../../test/fixtures/private-documents'
import { storeFolder } from '../../../test/fixtures/store'
import { createQuarantine } from './quarantine'
import { documentTable } from './document-table'

/** What lies beside the store of an installation that has started, and where it is saved to. */
async function started() {
  const { folder, start } = installation()
  const { store, open } = start()
  const target: { path: string | null } = { path: join(storeFolder(), 'saved.json') }
  const names: string[] = []
  const { handlers } = createQuarantine({
    folder,
    store,
    chooseTarget: (name) => {
      names.push(name)
      return Promise.resolve(target.path)
    },
  })
  await open()
  const database = store.file()
  if (!database) throw new Error('the store did not open')
  onTestFinished(() => expect(names.every((name) => name.endsWith('.json'))).toBe(true))
  return { folder, table: documentTable(database), handlers, target, names }
}

it('unreadable settings and documents are listed, saved elsewhere and deleted', async () => {
  const { folder, table, handlers, target, names } = await started()
  table.write('notes.damaged', { m1: 7 })
  table.write('notes', {})
  writeFileSync(join(folder, 'settings.damaged-1.json'), '{"app": 1')
  writeFileSync(join(folder, 'settings.damaged-3.json'), 'plain')
  const list = await handlers['store.quarantine']({})
  expect(list.map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
    ['notes.damaged.json', 'settings', 13],
    ['settings.damaged-1.json', 'settings', 9],
    ['settings.damaged-3.json', 'settings', 5],
  ])
  const [, copy, file] = list
  expect(await handlers['store.exportQuarantined']({ id: copy?.id ?? '' })).toEqual({ file: 'saved.json' })
  expect(names).toEqual(['settings.damaged-1.json'])
  expect(readFileSync(target.path ?? '', 'utf8')).toBe('{"app": 1')
  expect(await handlers['store.eraseQuarantined']({ id: copy?.id ?? '' })).toHaveLength(2)
  expect(await handlers['store.eraseQuarantined']({ id: file?.id ?? '' })).toHaveLength(1)
  expect(existsSync(join(folder, 'settings.damaged-3.json'))).toBe(false)
  expect(table.names()).toEqual(['notes', 'notes.damaged'])
})

it('a database in quarantine goes with all that belongs to it, and nothing else can be named', async () => {
  const { folder, handlers, target } = await started()
  const file = 'wheelhouse.set-aside-1.db'
  for (const suffix of ['', '-wal', '.key-id', '.digest']) writeFileSync(join(folder, file + suffix), 'x')
  const [found] = await handlers['store.quarantine']({})
  expect(found).toMatchObject({ kind: 'database', name: file, bytes: 1 })
  const invalid = { failure: { kind: 'invalid-input' } }
  await expect(handlers['store.exportQuarantined']({ id: found?.id ?? '' })).rejects.toMatchObject(invalid)
  for (const id of ['file:wheelhouse.db', 'file:../settings.json', 'store:notes', ''])
    expect(() => handlers['store.eraseQuarantined']({ id })).toThrow()
  expect(await handlers['store.eraseQuarantined']({ id: found?.id ?? '' })).toEqual([])
  expect(
    ['', '-wal', '.key-id', '.digest'].filter((suffix) => existsSync(join(folder, file + suffix))),
  ).toEqual([])
  target.path = null
  writeFileSync(join(folder, 'settings.damaged-1.json'), '{}')
  const cancelled = { failure: { kind: 'cancelled' } }
  await expect(
    handlers['store.exportQuarantined']({ id: 'file:settings.damaged-1.json' }),
  ).rejects.toMatchObject(cancelled)
})
