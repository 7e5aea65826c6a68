import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { QuarantinedItem, storeCalls } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import { fileFailure } from '../core/failure-of'
import { defineModule } from '../core/module'
import { replaceFile, writeFileAtomic } from './atomic-file'
import type { Store } from './database'
import { documentTable, eraseFromAnySchema, withoutAccount } from './document-table'
import type { Keychain } from './keychain'
import type { SettingsStore } from './settings'
import { isSettingsCopy } from './settings-file'
import { loadSqlLibrary, openDatabase } from './sql-library'
import { storeFiles } from './store-files'
import { findKey, parseKeyId, removeKey } from './store-key'

export interface QuarantineDeps {
  readonly folder: string
  readonly store: Pick<Store, 'file'>
  readonly keychain: Keychain
  readonly settings: Pick<SettingsStore, 'section'>
  chooseTarget(name: string): Promise<string | null>
}

/** A quarantined item. `text` is absent for files that cannot be saved elsewhere. */
interface Stored {
  readonly view: QuarantinedItem
  text?(): string
  erase(): void | Promise<void>
}

/** Names of files in the folder that may still contain data of an account that the user removed. */
const Uncleared = z.object({ files: z.array(z.string()).default([]) })

/** The copies of settings in a folder. Their text is read only if it is saved elsewhere: it may be unreadable. */
const settingsCopies = (folder: string): Stored[] =>
  readdirSync(folder)
    .filter(isSettingsCopy)
    .map((file) => {
      const path = join(folder, file)
      return {
        view: {
          id: `file:${file}`,
          kind: 'settings',
          name: file,
          bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
        },
        text: () => readFileSync(path, 'utf8'),
        erase: () => rmSync(path, { force: true }),
      }
    })

/** Lists, saves and deletes quarantined data of this computer. */
export function createQuarantine({ folder, store, keychain, settings, chooseTarget }: QuarantineDeps) {
  const files = storeFiles(folder)
  const uncleared = settings.section('uncleared-quarantine', Uncleared)

  function inStore(): Stored[] {
    const database = store.file()
    if (!database) return []
    const table = documentTable(database)
    return table
      .names()
      .filter((name) => name.endsWith('.damaged'))
      .map((name) => {
        const value = table.read(name)
        const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
        return {
          view: {
            id: `store:${name}`,
            kind: 'settings',
            name: `${name}.json`,
            bytes: Buffer.byteLength(text),
          },
          text: () => text,
          erase: () => table.remove(name),
        }
      })
  }

  const databases = (): Stored[] =>
    files.quarantinedDatabases().map(({ name, bytes }) => ({
      view: { id: `file:${name}`, kind: 'database', name, bytes },
      erase: async () => {
        const keyId = parseKeyId(files.quarantinedKeyId(name) ?? '')
        files.removeQuarantined(name)
        // Without its file a key is of no use to anybody.
        if (keyId) await removeKey(keychain, keyId).catch(() => undefined)
      },
    }))

  const all = (): readonly Stored[] => [...inStore(), ...settingsCopies(folder), ...databases()]
  function views(): QuarantinedItem[] {
    const { files: names } = uncleared.read()
    return all().map(({ view }) =>
      names.includes(view.name) ? { ...view, mayHoldRemovedAccounts: true } : view,
    )
  }

  /** Returns false if the copy of settings may still contain data of the account. */
  async function clearSettings(name: string, account: AccountId): Promise<boolean> {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(account)) return true
    const rest = JSON.stringify(withoutAccount(JSON.parse(text), account), null, 2)
    if (rest.includes(account)) return false
    await writeFileAtomic(path, rest)
    return true
  }

  /** Returns false if the database may still contain data of the account. */
  async function clearDatabase(name: string, account: AccountId): Promise<boolean> {
    const keyId = parseKeyId(files.quarantinedKeyId(name) ?? '')
    const key = keyId && (await findKey(keychain, keyId))
    if (key === undefined) return false
    const path = join(folder, name)
    const database = openDatabase(await loadSqlLibrary(), { path, key, onFault: () => undefined })
    try {
      return eraseFromAnySchema(database, account) && database.checkpoint()
    } finally {
      database.close()
    }
  }

  /** Removes an account from the files in quarantine. Remembers the files that can't be cleared. */
  async function forgetAccount(account: AccountId): Promise<void> {
    const clear = [
      ...settingsCopies(folder).map(({ view: { name } }) => [name, clearSettings] as const),
      ...databases().map(({ view: { name } }) => [name, clearDatabase] as const),
    ]
    const present = new Set(clear.map(([name]) => name))
    const left: string[] = []
    for (const [name, run] of clear) {
      const isCleared = await run(name, account).catch(() => false)
      if (!isCleared) left.push(name)
    }
    // A name may be used again for another file once its own is deleted.
    const update = ({ files: names }: z.infer<typeof Uncleared>) => ({
      files: [...new Set([...names.filter((name) => present.has(name)), ...left])],
    })
    const before = uncleared.read()
    if (update(before).files.join('/') !== before.files.join('/')) await uncleared.change(update)
  }

  function find(id: string): Stored {
    const item = all().find(({ view }) => view.id === id)
    if (!item) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    return item
  }

  async function save(id: string): Promise<string> {
    const { view, text } = find(id)
    if (!text) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    const path = await chooseTarget(view.name)
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    await replaceFile(path, (write) => write(text())).catch((error: unknown) => {
      throw fileFailure(error)
    })
    return basename(path)
  }

  type Calls = Pick<
    typeof storeCalls,
    'store.quarantine' | 'store.exportQuarantined' | 'store.eraseQuarantined'
  >
  const handlers: HandlersOf<Calls> = {
    'store.quarantine': views,
    'store.exportQuarantined': async ({ id }) => ({ file: await save(id) }),
    'store.eraseQuarantined': async ({ id }) => {
      const { view, erase } = find(id)
      await erase()
      if (uncleared.read().files.includes(view.name))
        await uncleared.change(({ files: names }) => ({ files: names.filter((name) => name !== view.name) }))
      return views()
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount })
}
