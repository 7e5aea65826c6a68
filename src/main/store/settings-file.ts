import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'

/** The sections of the file as they were read; each is checked by the schema of the module that owns it. */
export const SettingsDocument = z.record(z.string(), z.unknown())
export type SettingsDocument = z.infer<typeof SettingsDocument>

/** Something that the person must know about their settings. */
export interface SettingsNotice {
  /**
   * `damaged`: not understood, starts afresh; `partial`: some parts are not understood, and stay in the file;
   * `unreadable`: could not be read, nothing is saved over it.
   */
  readonly kind: 'damaged' | 'partial' | 'unreadable'
  /** The section concerned; null: the whole file. */
  readonly section: string | null
  /** Name of the file that the old text was kept in; null where it could not be moved. */
  readonly keptAs: string | null
  /** The system's or the parser's words. */
  readonly reason: string
}

export const settingsFileName = 'settings.json'

/** Whether a file of the folder is a copy in quarantine (`quarantineName`). */
export const isSettingsCopy = (name: string): boolean => /^settings\.damaged-\d+\.json$/.test(name)

/** What a thrown thing says. */
export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The first free name in quarantine. Pure: `taken`: whether a name exists. */
const quarantineName = (taken: (name: string) => boolean): string => {
  for (let count = 1; ; count += 1) {
    const name = `settings.damaged-${String(count)}.json`
    if (!taken(name)) return name
  }
}

const quarantine = (folder: string, put: (from: string, to: string) => void): string => {
  const name = quarantineName((candidate) => existsSync(join(folder, candidate)))
  put(join(folder, settingsFileName), join(folder, name))
  return name
}

/** The copy that holds what the file holds: a section that stays as it is is met at each start. */
function sameCopy(folder: string): string | undefined {
  const text = readFileSync(join(folder, settingsFileName))
  return readdirSync(folder).find(
    (name) => isSettingsCopy(name) && readFileSync(join(folder, name)).equals(text),
  )
}

/** Keeps a copy of the file as it stands, once, under the returned name. Throws the system's error. */
export const keepCopy = (folder: string): string => sameCopy(folder) ?? quarantine(folder, copyFileSync)

/** Removes what writes that a crash has cut short left behind. */
export function removeCutWrites(folder: string): void {
  try {
    const path = join(folder, settingsFileName)
    // Temporary files stand beside the target of a link.
    const file = existsSync(path) ? realpathSync(path) : path
    for (const name of readdirSync(dirname(file))) {
      const suffix = name.startsWith(basename(file)) ? name.slice(basename(file).length) : ''
      if (/^\.[0-9a-f]{8}\.tmp$/.test(suffix)) rmSync(join(dirname(file), name), { force: true })
    }
  } catch {
    // What is wrong with the folder shows in the next write.
  }
}

/**
 * Reads the settings file. A damaged one is quarantined and an empty document returned with a notice. Where the
 * file is there but cannot be read or moved, the notice is `unreadable`: it must not be written over.
 */
export const readSettingsFile = (
  folder: string,
): { readonly document: SettingsDocument; readonly notice: SettingsNotice | null } => {
  const unreadable = (reason: string): SettingsNotice => ({
    kind: 'unreadable',
    section: null,
    keptAs: null,
    reason,
  })
  const path = join(folder, settingsFileName)
  if (!existsSync(path)) return { document: {}, notice: null }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { document: {}, notice: unreadable(words(error)) }
  }
  try {
    // Editors on Windows write a byte order mark.
    return { document: SettingsDocument.parse(JSON.parse(text.replace(/^\uFEFF/, ''))), notice: null }
  } catch {
    // The parser's words may quote the file, which holds names of hosts and people: they are not repeated.
    try {
      const keptAs = quarantine(folder, renameSync)
      return { document: {}, notice: { kind: 'damaged', section: null, keptAs, reason: 'not JSON' } }
    } catch (error) {
      return { document: {}, notice: unreadable(words(error)) }
    }
  }
}
