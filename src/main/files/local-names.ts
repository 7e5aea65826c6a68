import type { Stats } from 'node:fs'
import { extname, join } from 'node:path'
import { plainFs } from './original-fs'

const { constants } = plainFs
const { lstat, mkdir, open, realpath, stat } = plainFs.promises

/** Control characters, bidirectional controls and the path separator. */
const invalidCharacters = /[\p{Cc}\p{Bidi_Control}/]/gu
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const invalidOnWindows = /[<>:"\\|?*]/g
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(\.|$)/i
/** Bytes of a name that every file system accepts, with room for a number and `.part`. */
const maxNameBytes = 240
const maxExtensionBytes = 20

/** Cuts a name to so many bytes after a complete character, and keeps a short extension. */
function shorten(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const extension = extname(text)
  const end = Buffer.byteLength(extension) < maxExtensionBytes ? extension : ''
  let begin = ''
  let room = maxBytes - Buffer.byteLength(end)
  for (const character of text) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    begin += character
  }
  return begin + end
}

/** Returns the local name of a machine's file: a single valid name in a folder, never a device. */
export function localName(name: string, platform: NodeJS.Platform): string {
  const plain = shorten(name.replace(invalidCharacters, '_'), maxNameBytes)
  const safe =
    platform === 'win32'
      ? plain
          .replace(invalidOnWindows, '_')
          .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
          .replace(devices, '_$&')
      : platform === 'darwin'
        ? plain.replaceAll(':', '_')
        : plain
  return /^\.{0,2}$/.test(safe) ? '_' : safe
}

export const numbered = (name: string, count: number): string => {
  if (count < 2) return name
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)} (${count})${extension}`
}

/** Returns the same key for names that the system does not distinguish, for example by case. */
export const nameKey =
  (platform: NodeJS.Platform) =>
  (name: string): string =>
    platform === 'linux' ? name : name.normalize('NFC').toLowerCase()

/** Returns a function that gives each name of a folder a different local name. */
export function uniqueNames(platform: NodeJS.Platform): (name: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  const key = nameKey(platform)
  return (name) => {
    const wanted = localName(name, platform)
    let count = counts.get(key(wanted)) ?? 1
    while (used.has(key(numbered(wanted, count)))) count += 1
    counts.set(key(wanted), count)
    const unique = numbered(wanted, count)
    used.add(key(unique))
    return unique
  }
}

/**
 * Flags of open() for a file that was listed in a folder. Does not follow a link that replaced the file (ELOOP), and does not
 * wait for a pipe. Windows has neither flag.
 */
export const listedFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface LocalItem {
  readonly kind: 'file' | 'folder'
  readonly mode: number
  /** Bytes. */
  readonly size: number
  /** Whole epoch seconds, as machines report them. */
  readonly modifiedAt: number
}

const localItem = (stats: Stats): LocalItem => ({
  kind: stats.isDirectory() ? 'folder' : 'file',
  mode: stats.mode & 0o7777,
  size: stats.size,
  modifiedAt: Math.floor(stats.mtimeMs / 1000),
})

/** Returns the attributes of a local path; null: it does not exist. Does not follow links. */
export const statLocal = (path: string): Promise<LocalItem | null> => lstat(path).then(localItem, () => null)

/** Returns the attributes of a local path, of its target if it is a link; null: it does not exist. */
export const statLocalTarget = (path: string): Promise<LocalItem | null> =>
  stat(path).then(localItem, () => null)

/** Returns the file that a link leads to; null: another target, or no link. */
export async function linkedFile(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isSymbolicLink()) return null
  const target = await realpath(path).catch(() => null)
  return target !== null && (await lstat(target).catch(() => null))?.isFile() ? target : null
}

export async function freeName(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const candidate = numbered(name, count)
    if (!(await statLocal(join(folder, candidate)))) return candidate
  }
}

/** Makes an empty file or folder; the umask applies. Returns false if the path exists. */
export async function makeEmpty(
  path: string,
  kind: 'file' | 'folder',
  mode: number | null,
): Promise<boolean> {
  try {
    if (kind === 'folder') await mkdir(path, mode ?? 0o777)
    else await (await open(path, 'wx', mode ?? 0o666)).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
