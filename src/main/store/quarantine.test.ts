import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { installation } from '../../../test/fixtures/private-documents'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import { openKeychain, type SecretStore } from './keychain'
import { schema } from './schema'
import { createQuarantine } from './quarantine'
import { documentTable } from './document-table'

/** The quarantine of a started installation, and the path that files are saved to. */
async function started() {
  const { folder, keychain: secrets, start } = installation()
  const { store, settings, open } = start()
  const keychain = openKeychain({ load: () => Promise.resolve(secrets), timeoutSeconds: 5 })
  const target: { path: string | null } = { path: join(storeFolder(), 'saved.json') }
  const names: string[] = []
  const { handlers, forgetAccount } = createQuarantine({
    folder,
    store,
    keychain,
    settings,
    chooseTarget: (name) => {
      names.push(name)
      return Promise.resolve(target.path)
    },
  })
  await open()
  const database = store.file()
  if (!database) throw new Error('the store did not open')
  onTestFinished(() => expect(names.every((name) => name.endsWith('.json'))).toBe(true))
  return { folder, table: documentTable(database), handlers, forgetAccount, target, names, secrets }
}

const removed = 'abcdefghijkl'
const other = 'mnopqrstuvwx'
const setAside = 'wheelhouse.set-aside-1.db'

/** A quarantined database of a later version with data of two accounts, and a function that opens it again. */
async function laterDatabase(folder: string, secrets: SecretStore, sql = '') {
  const own = storeFolder()
  const later = { version: schema.version + 1, sql: schema.sql + sql }
  const open = async () => {
    const { store } = makeStore({ folder: own, secrets, schema: later })
    await store.open()
    return { store, database: store.database() ?? expect.fail(JSON.stringify(store.state())) }
  }
  const { store, database } = await open()
  for (const account of [removed, other]) {
    database.prepare("INSERT INTO covered_time VALUES (?, 'r', 1, 2)").run(account)
    if (sql !== '') database.prepare('INSERT INTO later_data VALUES (?)').run(`of ${account}`)
  }
  documentTable(database).write('notes', { [removed]: 'secret note', [other]: 'their note' })
  await store.close()
  for (const suffix of ['', '.key-id'])
    copyFileSync(join(own, `wheelhouse.db${suffix}`), join(folder, setAside + suffix))
  const reopened = async () => {
    copyFileSync(join(folder, setAside), join(own, 'wheelhouse.db'))
    rmSync(join(own, 'wheelhouse.db.digest'), { force: true })
    return (await open()).database
  }
  return {
    reopened,
    keyId: z
      .object({ keyId: z.string() })
      .parse(JSON.parse(readFileSync(join(own, 'wheelhouse.db.key-id'), 'utf8'))).keyId,
  }
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

it('a quarantined database is deleted with all its files, and no other file can be named', async () => {
  const { folder, handlers, target } = await started()
  const file = 'wheelhouse.set-aside-1.db'
  for (const suffix of ['', '-wal', '.key-id', '.digest']) writeFileSync(join(folder, file + suffix), 'x')
  const [found] = await handlers['store.quarantine']({})
  expect(found).toMatchObject({ kind: 'database', name: file, bytes: 1 })
  const invalid = { failure: { kind: 'invalid-input' } }
  await expect(handlers['store.exportQuarantined']({ id: found?.id ?? '' })).rejects.toMatchObject(invalid)
  for (const id of ['file:wheelhouse.db', 'file:../settings.json', 'store:notes', ''])
    await expect(handlers['store.eraseQuarantined']({ id })).rejects.toMatchObject(invalid)
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

it('a copy of settings that cannot be read prevents no removal of an account', async () => {
  const { folder, handlers, forgetAccount } = await started()
  mkdirSync(join(folder, 'settings.damaged-1.json'))
  await forgetAccount(removed)
  const views = await handlers['store.quarantine']({})
  expect(views).toMatchObject([{ name: 'settings.damaged-1.json', mayHoldRemovedAccounts: true }])
  rmSync(join(folder, 'settings.damaged-1.json'), { recursive: true })
  await forgetAccount(removed)
  writeFileSync(join(folder, 'settings.damaged-1.json'), '{}')
  expect(await handlers['store.quarantine']({})).toEqual([
    expect.not.objectContaining({ mayHoldRemovedAccounts: true }),
  ])
})

it('a removed account is erased from a database of a later version, and other accounts stay', async () => {
  const { folder, handlers, forgetAccount, secrets } = await started()
  const { reopened } = await laterDatabase(folder, secrets)
  await forgetAccount(removed)
  expect(await handlers['store.quarantine']({})).toEqual([
    expect.not.objectContaining({ mayHoldRemovedAccounts: true }),
  ])
  const database = await reopened()
  expect(database.prepare('SELECT account FROM covered_time').all()).toEqual([{ account: other }])
  expect(documentTable(database).read('notes')).toEqual({ [other]: 'their note' })
})

it('a file that may still hold a removed account is named until it is deleted, with its key', async () => {
  const { folder, handlers, forgetAccount, secrets } = await started()
  const { keyId } = await laterDatabase(folder, secrets, 'CREATE TABLE later_data (text TEXT);')
  writeFileSync(join(folder, 'wheelhouse.set-aside-2.db'), 'damaged')
  writeFileSync(
    join(folder, 'settings.damaged-1.json'),
    JSON.stringify({ app: { [removed]: 1, [other]: 2 } }),
  )
  writeFileSync(join(folder, 'settings.damaged-2.json'), `{"app": "${removed}`)
  await forgetAccount(removed)
  const list = await handlers['store.quarantine']({})
  expect(list.filter((item) => item.mayHoldRemovedAccounts).map(({ name }) => name)).toEqual([
    'settings.damaged-2.json',
    setAside,
    'wheelhouse.set-aside-2.db',
  ])
  expect(JSON.parse(readFileSync(join(folder, 'settings.damaged-1.json'), 'utf8'))).toEqual({
    app: { [other]: 2 },
  })
  expect(secrets.entries.has(`store/${keyId}`)).toBe(true)
  const left = await handlers['store.eraseQuarantined']({ id: `file:${setAside}` })
  expect(left.map(({ name }) => name)).not.toContain(setAside)
  expect(secrets.entries.has(`store/${keyId}`)).toBe(false)
})
