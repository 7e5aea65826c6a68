import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ReportError } from '../core/report-error'
import { type DocumentTable, documentTable } from './document-table'
import { detailsOf } from './private-fields'
import { isRecord } from './renamed-fields'
import type { SettingsStore } from './settings'
import { isSettingsCopy } from './settings-file'
import type { Database } from './sql'
import { withLater } from './with-later'

/** Where private data used to lie in plain text (up to version 0.1.0). */
export interface PlainPlaces {
  readonly folder: string
  readonly settings: Pick<SettingsStore, 'raw' | 'replaceRaw'>
  /** Sections that are wholly private. */
  readonly names: readonly string[]
  /** The private fields of the others. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly report: ReportError
}

/** What a text that is no JSON seems to hold: sections that are private, or private fields that are not empty. */
const seemsPrivate = (text: string, { names, fields }: PlainPlaces): boolean =>
  names.some((name) => text.includes(`"${name}"`)) ||
  Object.values(fields)
    .flat()
    .some((field) => new RegExp(`"${field}"\\s*:\\s*(?!null|"")`).test(text))

function holdsPrivate(text: string, places: PlainPlaces): boolean {
  try {
    const document: unknown = JSON.parse(text)
    if (!isRecord(document)) return true
    return (
      places.names.some((name) => name in document) ||
      Object.entries(places.fields).some(
        ([name, privateFields]) => Object.keys(detailsOf(document[name], privateFields)).length > 0,
      )
    )
  } catch (error) {
    if (error instanceof SyntaxError) return seemsPrivate(text, places)
    throw error
  }
}

interface Copy {
  readonly file: string
  readonly text: string
}

function readCopy({ folder, report }: PlainPlaces, file: string): Copy[] {
  try {
    return [{ file, text: readFileSync(join(folder, file), 'utf8') }]
  } catch (error) {
    report('store.readCopy', error)
    return []
  }
}

/** Once a copy has been moved, its file's name is free for the next one. */
function keepCopy(table: DocumentTable, { file, text }: Copy, count = 1): void {
  const name = count === 1 ? `copy/${file}` : `copy/${file} (${String(count)})`
  const kept = table.read(name)
  if (kept === undefined) table.write(name, text)
  else if (kept !== text) keepCopy(table, { file, text }, count + 1)
}

/** The document that holds a digest of what was last moved of each section. */
const movedName = 'moved'
const Moved = z.record(z.string(), z.string()).catch({})

/**
 * A crash before the erasing leaves what was moved, which says nothing new. Anything else was written by an older version
 * that was started meanwhile.
 */
function moveSection(table: DocumentTable, name: string, plain: unknown): void {
  const moved = Moved.parse(table.read(movedName))
  const digest = createHash('sha256').update(JSON.stringify(plain)).digest('hex')
  if (moved[name] === digest) return
  table.write(name, withLater(table.read(name), plain))
  table.write(movedName, { ...moved, [name]: digest })
}

/**
 * Moves sections of the settings, and files that were set aside of them, into the encrypted file, in one transaction.
 * Answers how to erase the plain ones once the file is on disk; undefined where there are none. Fails with local-fault,
 * or throws the system's error.
 */
export function movePlain(database: Database, places: PlainPlaces): (() => Promise<void>) | undefined {
  const { folder, settings, names } = places
  const plain = names.filter((name) => settings.raw(name) !== undefined)
  const copies = readdirSync(folder)
    .filter(isSettingsCopy)
    .flatMap((file) => readCopy(places, file))
    .filter(({ text }) => holdsPrivate(text, places))
  if (plain.length === 0 && copies.length === 0) return undefined
  const table = documentTable(database)
  database.transaction(() => {
    for (const name of plain) moveSection(table, name, settings.raw(name))
    for (const copy of copies) keepCopy(table, copy)
  })
  return async () => {
    if (plain.length > 0)
      await settings.replaceRaw(Object.fromEntries(plain.map((name) => [name, undefined])))
    for (const { file } of copies) rmSync(join(folder, file), { force: true })
  }
}
