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

/** Sections of the file before validation by their modules' schemas. */
export const SettingsDocument = z.record(z.string(), z.unknown())
export type SettingsDocument = z.infer<typeof SettingsDocument>

export interface SettingsNotice {
  /**
   * `damaged`: malformed and reset. `partial`: some parts are malformed and stay in the file. `unreadable`: could not
   * be read and is never overwritten.
   */
  readonly kind: 'damaged' | 'partial' | 'unreadable'
  readonly section: string | null
  /** Name of the file with the old text; null if it could not be moved. */
  readonly keptAs: string | null
  readonly reason: string
}

export const settingsFileName = 'settings.json'

/** Whether a file is a quarantined copy (`quarantineName`). */
export const isSettingsCopy = (name: string): boolean => /^settings\.damaged-\d+\.json$/.test(name)

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const quarantineName = (exists: (name: string) => boolean): string => {
  for (let count = 1; ; count += 1) {
    const name = `settings.damaged-${String(count)}.json`
    if (!exists(name)) return name
  }
}

const quarantine = (folder: string, put: (from: string, to: string) => void): string => {
  const name = quarantineName((candidate) => existsSync(join(folder, candidate)))
  put(join(folder, settingsFileName), join(folder, name))
  return name
}

/** Returns the copy with the same content. Without this check, each start would copy a damaged section again. */
function sameCopy(folder: string): string | undefined {
  const text = readFileSync(join(folder, settingsFileName))
  return readdirSync(folder).find(
    (name) => isSettingsCopy(name) && readFileSync(join(folder, name)).equals(text),
  )
}

/** Copies the file as it is, unless a copy exists. Returns the copy's name. Throws the system's error. */
export const keepCopy = (folder: string): string => sameCopy(folder) ?? quarantine(folder, copyFileSync)

export function removeInterruptedWrites(folder: string): void {
  try {
    const path = join(folder, settingsFileName)
    // Temporary files are next to the target of a link.
    const file = existsSync(path) ? realpathSync(path) : path
    for (const name of readdirSync(dirname(file))) {
      const suffix = name.startsWith(basename(file)) ? name.slice(basename(file).length) : ''
      if (/^\.[0-9a-f]{8}\.tmp$/.test(suffix)) rmSync(join(dirname(file), name), { force: true })
    }
  } catch {
    // Problems with the folder appear at the next write.
  }
}

/**
 * Reads the settings file. Quarantines a damaged one and returns an empty document with a notice. If the file can
 * neither be read nor moved, the notice is `unreadable` and the file must not be overwritten.
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
    return { document: {}, notice: unreadable(errorMessage(error)) }
  }
  try {
    // Editors on Windows write a byte order mark.
    return { document: SettingsDocument.parse(JSON.parse(text.replace(/^\uFEFF/, ''))), notice: null }
  } catch {
    // The parser's message may quote the file, which holds names of hosts and people.
    try {
      const keptAs = quarantine(folder, renameSync)
      return { document: {}, notice: { kind: 'damaged', section: null, keptAs, reason: 'not JSON' } }
    } catch (error) {
      return { document: {}, notice: unreadable(errorMessage(error)) }
    }
  }
}
