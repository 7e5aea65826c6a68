import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HandlersOf } from '#shared/bridge/index'
import type { QuarantinedItem, storeCalls } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import { fileFailure } from '../core/file-failure'
import { defineModule } from '../core/module'
import { replaceFile } from './atomic-file'
import type { Store } from './database'
import { documentTable } from './document-table'
import { isSettingsCopy } from './settings-file'
import { storeFiles } from './store-files'

export interface QuarantineDeps {
  /** The user-data folder. */
  readonly folder: string
  readonly store: Pick<Store, 'file'>
  /** Asks the person where to, offering a file name; null where they would rather not. */
  chooseTarget(name: string): Promise<string | null>
}

/** An item, wherever it lies. `text` is absent where it is of no use outside. */
interface Stored {
  readonly view: QuarantinedItem
  text?(): string
  erase(): void
}

const settingsView = (id: string, name: string, text: string): QuarantinedItem => ({
  id,
  kind: 'settings',
  name,
  bytes: Buffer.byteLength(text),
})

/** What was quarantined on this computer: shown, saved elsewhere, erased. */
export function createQuarantine({ folder, store, chooseTarget }: QuarantineDeps) {
  const files = storeFiles(folder)

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
          view: settingsView(`store:${name}`, `${name}.json`, text),
          text: () => text,
          erase: () => table.remove(name),
        }
      })
  }

  const inFolder = (): Stored[] =>
    readdirSync(folder)
      .filter(isSettingsCopy)
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return {
          view: settingsView(`file:${file}`, file, text),
          text: () => text,
          erase: () => rmSync(join(folder, file), { force: true }),
        }
      })

  const databases = (): Stored[] =>
    files.quarantinedDatabases().map(({ name, bytes }) => ({
      view: { id: `file:${name}`, kind: 'database', name, bytes },
      erase: () => files.removeQuarantined(name),
    }))

  const all = (): readonly Stored[] => [...inStore(), ...inFolder(), ...databases()]

  /** Fails with invalid-input. */
  function find(id: string): Stored {
    const found = all().find(({ view }) => view.id === id)
    if (!found) throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'unknown' })
    return found
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
    'store.quarantine': () => all().map(({ view }) => view),
    'store.exportQuarantined': async ({ id }) => ({ file: await save(id) }),
    'store.eraseQuarantined': ({ id }) => {
      find(id).erase()
      return all().map(({ view }) => view)
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
