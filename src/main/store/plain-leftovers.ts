import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { documentTable } from './document-table'
import { detailsOf } from './private-fields'
import { isRecord } from './renamed-fields'
import type { SettingsStore } from './settings'
import { isSettingsCopy } from './settings-file'
import type { Database } from './sql'

/** Where private data used to lie in plain text (up to version 0.1.0). */
export interface PlainPlaces {
  readonly folder: string
  readonly settings: Pick<SettingsStore, 'raw' | 'replaceRaw'>
  /** Sections that are wholly private. */
  readonly names: readonly string[]
  /** The private fields of the others. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

function holdsPrivate(text: string, { names, fields }: PlainPlaces): boolean {
  try {
    const document: unknown = JSON.parse(text)
    if (!isRecord(document)) return true
    return (
      names.some((name) => name in document) ||
      Object.entries(fields).some(
        ([name, privateFields]) => Object.keys(detailsOf(document[name], privateFields)).length > 0,
      )
    )
  } catch (error) {
    // It cannot be looked into.
    if (error instanceof SyntaxError) return true
    throw error
  }
}

/**
 * Copies sections of the settings, and files that were set aside of them, into the encrypted file, in one transaction.
 * What is there already wins: a crash before the erasing leaves both. Answers how to erase the plain ones once the file
 * is on disk; undefined where there are none. Fails with local-fault, or throws the system's error.
 */
export function movePlain(database: Database, places: PlainPlaces): (() => Promise<void>) | undefined {
  const { folder, settings, names } = places
  const table = documentTable(database)
  const plain = names.filter((name) => settings.raw(name) !== undefined)
  const copies = readdirSync(folder)
    .filter(isSettingsCopy)
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => holdsPrivate(text, places))
  if (plain.length === 0 && copies.length === 0) return undefined
  const moved = [
    ...plain.map((name) => [name, settings.raw(name)] as const),
    ...copies.map(({ file, text }) => [`copy/${file}`, text] as const),
  ]
  database.transaction(() => {
    for (const [name, value] of moved) if (table.read(name) === undefined) table.write(name, value)
  })
  return async () => {
    if (plain.length > 0)
      await settings.replaceRaw(Object.fromEntries(plain.map((name) => [name, undefined])))
    for (const { file } of copies) rmSync(join(folder, file), { force: true })
  }
}
