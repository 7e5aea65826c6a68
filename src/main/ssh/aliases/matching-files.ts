import { readdir } from 'node:fs/promises'
import type { PlatformPath } from 'node:path'

/** Upper bound on the paths that a pattern matches. */
const maxPaths = 1_024
/** PATH_MAX of Linux: ssh finds nothing for a longer pattern. */
const maxPatternLength = 4_096

/** A backslash is a separator on Windows, and escapes the next character elsewhere. */
const isPattern = (part: string, sep: string): boolean =>
  /[*?[]/.test(part) || (sep === '/' && part.includes('\\'))

const token = /\\([^])|\[(!?)(\]?(?:\[:[a-z]+:\]|[^\]])+)\]|[*?]|[.+^${}()|[\]\\]/g

const compiled = (source: string): RegExp | null => {
  try {
    return new RegExp(source, 's')
  } catch {
    return null
  }
}

/**
 * Translates a set of characters in brackets. A set with classes, escapes or reversed ranges becomes any character: reading
 * too many files does no harm.
 */
function setExpression(not: string, set: string): string {
  const source = `[${not === '' ? '' : '^'}${set.replace(/[\]^[]/g, '\\$&')}]`
  return /\[:|\\/.test(set) || compiled(source) === null ? '[^]' : source
}

/** Translates one part of a path as glob(3) does; null: it is no valid pattern. */
const partExpression = (part: string): RegExp | null => {
  const source = part.replace(
    token,
    (match, escaped: string | undefined, not: string | undefined, set: string | undefined) => {
      if (escaped !== undefined) return escaped.replace(/[^\w\s]/, '\\$&')
      if (set !== undefined) return setExpression(not ?? '', set)
      return { '*': '.*', '?': '.' }[match] ?? `\\${match}`
    },
  )
  // A wildcard matches no leading dot.
  return compiled(`^${/^\\?\./.test(part) ? '' : '(?!\\.)'}${source}$`)
}

async function pathsIn(
  folder: string,
  part: string,
  { join, sep }: Pick<PlatformPath, 'join' | 'sep'>,
): Promise<readonly string[]> {
  if (!isPattern(part, sep)) return [join(folder, part)]
  const expression = partExpression(part)
  const names = expression === null ? [] : await readdir(folder).catch((): string[] => [])
  return names.filter((name) => expression?.test(name)).map((name) => join(folder, name))
}

/**
 * Returns the files that match an absolute path with `*`, `?`, `[…]` and backslashes, as glob(3) does. A path without
 * wildcards is returned even if no file has it. Null: too many files.
 */
export async function matchingFiles(
  path: string,
  paths: Pick<PlatformPath, 'join' | 'normalize' | 'parse' | 'sep'>,
): Promise<readonly string[] | null> {
  if (path.length >= maxPatternLength) return []
  if (!isPattern(path, paths.sep)) return [path]
  const whole = paths.normalize(path)
  const { root } = paths.parse(whole)
  let matches: readonly string[] = [root]
  for (const part of whole.slice(root.length).split(paths.sep)) {
    const next = await Promise.all(matches.map((folder) => pathsIn(folder, part, paths)))
    matches = next.flat()
    if (matches.length > maxPaths) return null
  }
  return matches
}
