import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ReportError } from '../core/report-error'
import { copyPrefix, type DocumentTable, documentTable } from './document-table'
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

/** A copy of the settings in quarantine, or what they held in plain text. */
export interface Copy {
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

const copiesIn = (places: PlainPlaces): readonly Copy[] =>
  readdirSync(places.folder)
    .filter(isSettingsCopy)
    .flatMap((file) => readCopy(places, file))
    .filter(({ text }) => holdsPrivate(text, places))

const plainNames = ({ names, settings }: PlainPlaces): readonly string[] =>
  names.filter((name) => settings.raw(name) !== undefined)

/** Erases sections of the settings, and the files of copies. Fails with local-fault, or throws the system's error. */
async function eraseFiles(
  { folder, settings }: PlainPlaces,
  plain: readonly string[],
  copies: readonly Copy[],
): Promise<void> {
  for (const { file } of copies) rmSync(join(folder, file), { force: true })
  if (plain.length > 0) await settings.replaceRaw(Object.fromEntries(plain.map((name) => [name, undefined])))
}

/** Once a copy has been moved, its file's name is free for the next one. */
export function keepCopy(table: DocumentTable, { file, text }: Copy, count = 1): void {
  const name = copyPrefix + (count === 1 ? file : `${file} (${String(count)})`)
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
 * Moves sections of the settings, and their copies in quarantine, into the encrypted file, in one transaction.
 * Answers how to erase the plain ones once the file is on disk; undefined where there are none. Fails with local-fault,
 * or throws the system's error.
 */
export function movePlain(database: Database, places: PlainPlaces): (() => Promise<void>) | undefined {
  const plain = plainNames(places)
  const copies = copiesIn(places)
  if (plain.length === 0 && copies.length === 0) return undefined
  const table = documentTable(database)
  database.transaction(() => {
    for (const name of plain) moveSection(table, name, places.settings.raw(name))
    for (const copy of copies) keepCopy(table, copy)
  })
  return () => eraseFiles(places, plain, copies)
}

/** The name under which what the settings held is offered once it has been erased there. */
const erasedFile = 'settings.plain.json'

/**
 * What lies in plain text, to be kept in memory, and how to erase it but for the private fields, which their sections
 * erase; undefined where there is nothing. Throws the system's error.
 */
export function takePlain(
  places: PlainPlaces,
): { readonly copies: readonly Copy[]; erase(): Promise<void> } | undefined {
  const { settings, fields } = places
  const copies = copiesIn(places)
  const plain = plainNames(places)
  const split = Object.keys(fields).filter(
    (name) => Object.keys(detailsOf(settings.raw(name), fields[name] ?? [])).length > 0,
  )
  const held = [...plain, ...split].map((name) => [name, settings.raw(name)])
  if (held.length === 0 && copies.length === 0) return undefined
  const text = `${JSON.stringify(Object.fromEntries(held), null, 2)}\n`
  return {
    copies: held.length === 0 ? copies : [{ file: erasedFile, text }, ...copies],
    erase: () => eraseFiles(places, plain, copies),
  }
}
