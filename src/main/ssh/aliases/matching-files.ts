import { readdir } from 'node:fs/promises'
import type { PlatformPath } from 'node:path'

/** Paths that one part of a pattern may lead to. Nobody has as many files of configuration. */
const mostPaths = 1_024
/** Characters of a pattern at most, PATH_MAX of Linux: ssh finds nothing for a longer one. */
const longestPattern = 4_096

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
 * A set of characters in brackets. A set with classes, escapes or reversed ranges stands for any character here: to read
 * too many files does no harm.
 */
function setExpression(not: string, set: string): string {
  const source = `[${not === '' ? '' : '^'}${set.replace(/[\]^[]/g, '\\$&')}]`
  return /\[:|\\/.test(set) || compiled(source) === null ? '[^]' : source
}

/** One part of a path as glob(3) reads it; null: it is none. */
const partExpression = (part: string): RegExp | null => {
  const source = part.replace(
    token,
    (found, escaped: string | undefined, not: string | undefined, set: string | undefined) => {
      if (escaped !== undefined) return escaped.replace(/[^\w\s]/, '\\$&')
      if (set !== undefined) return setExpression(not ?? '', set)
      return { '*': '.*', '?': '.' }[found] ?? `\\${found}`
    },
  )
  // No wildcard stands for a leading dot.
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
 * The files that an absolute path with `*`, `?`, `[…]` and backslashes in any of its parts stands for, as glob(3) has it;
 * one without stands for itself, whether it is there or not. Null: too many.
 */
export async function matchingFiles(
  path: string,
  paths: Pick<PlatformPath, 'join' | 'normalize' | 'parse' | 'sep'>,
): Promise<readonly string[] | null> {
  if (path.length >= longestPattern) return []
  if (!isPattern(path, paths.sep)) return [path]
  const whole = paths.normalize(path)
  const { root } = paths.parse(whole)
  let found: readonly string[] = [root]
  for (const part of whole.slice(root.length).split(paths.sep)) {
    const next = await Promise.all(found.map((folder) => pathsIn(folder, part, paths)))
    found = next.flat()
    if (found.length > mostPaths) return null
  }
  return found
}
