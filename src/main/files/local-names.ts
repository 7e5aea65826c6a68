import { extname, join } from 'node:path'
import { plainFs } from './original-fs'

const { constants } = plainFs
const { lstat, mkdir, open, realpath } = plainFs.promises

/** Control characters, those that turn the direction of what follows, and what divides a path. */
const neverInNames = /[\p{Cc}\p{Bidi_Control}/]/gu
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const notOnWindows = /[<>:"\\|?*]/g
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00B9\u00B2\u00B3])\s*(\.|$)/i
/** Bytes of a name that every file system takes, with room for a number and `.part`. */
const longest = 240

/** The beginning of a text that takes so many bytes, ending with a whole character. */
function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const extension = extname(text)
  const end = Buffer.byteLength(extension) < 20 ? extension : ''
  let begin = ''
  let left = bytes - Buffer.byteLength(end)
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    begin += character
  }
  return begin + end
}

/** What a name from a machine is called here: one name in a folder, whatever it was, and never a device. */
export function localName(name: string, platform: NodeJS.Platform): string {
  const plain = shortened(name.replace(neverInNames, '_'), longest)
  const safe =
    platform === 'win32'
      ? plain
          .replace(notOnWindows, '_')
          .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
          .replace(devices, '_$&')
      : platform === 'darwin'
        ? plain.replaceAll(':', '_')
        : plain
  return /^\.{0,2}$/.test(safe) ? '_' : safe
}

/** `report.txt`, `report (2).txt`, `report (3).txt`, … */
export const numbered = (name: string, count: number): string => {
  if (count < 2) return name
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)} (${count})${extension}`
}

/** The same for names that are one on a system, where upper and lower case may be the same. */
export const nameKey =
  (platform: NodeJS.Platform) =>
  (name: string): string =>
    platform === 'linux' ? name : name.normalize('NFC').toLowerCase()

/** Gives every name of one folder a name of its own here, where upper and lower case may be the same. */
export function uniqueNames(platform: NodeJS.Platform): (name: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const key = nameKey(platform)
  return (name) => {
    const wanted = localName(name, platform)
    let count = counts.get(key(wanted)) ?? 1
    while (taken.has(key(numbered(wanted, count)))) count += 1
    counts.set(key(wanted), count)
    const unique = numbered(wanted, count)
    taken.add(key(unique))
    return unique
  }
}

/**
 * Flags of open() for a file that was listed in a folder: a link that has taken its place since is not followed (ELOOP),
 * and a pipe is not waited for. Windows has neither flag.
 */
export const listedFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Whether a path leads to anything here, be it a link to nothing. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Returns what has a path here, be it a link, with its permission bits; null: nothing. */
export const statHere = (
  path: string,
): Promise<{ readonly kind: 'file' | 'folder'; readonly mode: number } | null> =>
  lstat(path).then(
    (found) => ({ kind: found.isDirectory() ? 'folder' : 'file', mode: found.mode & 0o7777 }),
    () => null,
  )
export const kindHere = async (path: string): Promise<'file' | 'folder' | null> =>
  (await statHere(path))?.kind ?? null

/** Returns the file that a link leads to; null: it leads to no file, or the path is no link. */
export async function linkedFile(path: string): Promise<string | null> {
  const is = await lstat(path).catch(() => null)
  if (!is?.isSymbolicLink()) return null
  const target = await realpath(path).catch(() => null)
  return target !== null && (await lstat(target).catch(() => null))?.isFile() ? target : null
}

/** The first of the numbered names that is free in a folder. */
export async function freeName(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const candidate = numbered(name, count)
    if (!(await isThere(join(folder, candidate)))) return candidate
  }
}

/** Makes an empty file or folder, less the umask. False: something has the path, which belongs to somebody else. */
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
