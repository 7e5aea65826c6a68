import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index'
import type { QuarantinedItem, storeCalls } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import { fileFailure } from '../core/file-failure'
import { defineModule } from '../core/module'
import { replaceFile } from './atomic-file'
import type { Store } from './database'
import { copyPrefix, documentTable } from './document-table'
import type { PrivateDocuments } from './private-documents'
import { isSettingsCopy } from './settings-file'
import { storeFiles } from './store-files'

export interface QuarantineDeps {
  /** The user-data folder. */
  readonly folder: string
  readonly store: Pick<Store, 'file'>
  readonly documents: Pick<PrivateDocuments, 'copies'>
  /** Asks the person where to, offering a file name; null where they would rather not. */
  chooseTarget(name: string): Promise<string | null>
}

/** An item, wherever it lies. `text` is absent where it is of no use outside. */
interface Stored {
  readonly view: QuarantinedItem
  text?(): string
  erase(): void
}

const settingsView = (id: string, name: string, text: string, lasts: boolean): QuarantinedItem => ({
  ...{ id, kind: 'settings', name, lasts },
  bytes: Buffer.byteLength(text),
})

/** "settings.damaged-1.json (2)" as a file name. */
const exportName = (name: string): string =>
  `${name.replace(/\.json( \((\d+)\))?$/, (_, __, count?: string) => (count ? `-${count}` : ''))}.json`

/** What was quarantined on this computer: shown, saved elsewhere, erased. */
export function createQuarantine({ folder, store, documents, chooseTarget }: QuarantineDeps) {
  const files = storeFiles(folder)

  function inStore(): Stored[] {
    const database = store.file()
    if (!database) return []
    const table = documentTable(database)
    return table
      .names()
      .filter((name) => name.startsWith(copyPrefix) || name.endsWith('.damaged'))
      .map((name) => {
        const value = table.read(name)
        const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
        const shown = name.startsWith(copyPrefix) ? name.slice(copyPrefix.length) : `${name}.json`
        return {
          view: settingsView(`store:${name}`, shown, text, true),
          text: () => text,
          erase: () => table.remove(name),
        }
      })
  }

  const inMemory = (): Stored[] =>
    documents.copies.list().map(({ file, text }) => ({
      view: settingsView(`memory:${file}`, file, text, false),
      text: () => text,
      erase: () => documents.copies.remove(file),
    }))

  const inFolder = (): Stored[] =>
    readdirSync(folder)
      .filter(isSettingsCopy)
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return {
          view: settingsView(`file:${file}`, file, text, true),
          text: () => text,
          erase: () => rmSync(join(folder, file), { force: true }),
        }
      })

  const databases = (): Stored[] =>
    files.quarantinedDatabases().map(({ name, bytes }) => ({
      view: { id: `file:${name}`, kind: 'database', name, bytes, lasts: true },
      erase: () => files.removeQuarantined(name),
    }))

  const all = (): readonly Stored[] => [...inStore(), ...inMemory(), ...inFolder(), ...databases()]

  /** Fails with invalid-input. */
  function find(id: string): Stored {
    const found = all().find(({ view }) => view.id === id)
    if (!found) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    return found
  }

  async function save(id: string): Promise<string> {
    const { view, text } = find(id)
    if (!text) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    const path = await chooseTarget(exportName(view.name))
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
    'store.quarantine': () => all().map(({ view }) => view),
    'store.exportQuarantined': async ({ id }) => ({ file: await save(id) }),
    'store.eraseQuarantined': ({ id }) => {
      find(id).erase()
      return all().map(({ view }) => view)
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
