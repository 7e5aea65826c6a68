import { readdir } from 'node:fs/promises'
import type { PlatformPath } from 'node:path'

/** Paths that one part of a pattern may lead to. Nobody has as many files of configuration. */
const mostPaths = 1_024

const isPattern = (part: string): boolean => /[*?[]/.test(part)

/** One part of a path as glob(3) reads it; null: it is none. */
const partExpression = (part: string): RegExp | null => {
  const source = part.replace(
    /\[(!?)(\]?[^\]]+)\]|[*?]|[.+^${}()|[\]\\]/g,
    (token, not: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\][^]/g, '\\$&')}]`
      return { '*': '.*', '?': '.' }[token] ?? `\\${token}`
    },
  )
  try {
    // No wildcard stands for a leading dot.
    return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 's')
  } catch {
    return null
  }
}

async function pathsIn(folder: string, part: string, join: PlatformPath['join']): Promise<readonly string[]> {
  if (!isPattern(part)) return [join(folder, part)]
  const expression = partExpression(part)
  const names = expression === null ? [] : await readdir(folder).catch((): string[] => [])
  return names.filter((name) => expression?.test(name)).map((name) => join(folder, name))
}

/**
 * The files that an absolute path with `*`, `?` and `[…]` in any of its parts stands for, as glob(3) has it; one without
 * stands for itself, whether it is there or not.
 */
export async function matchingFiles(
  path: string,
  { join, normalize, parse, sep }: PlatformPath,
): Promise<readonly string[]> {
  if (!isPattern(path)) return [path]
  const whole = normalize(path)
  const { root } = parse(whole)
  let found: readonly string[] = [root]
  for (const part of whole.slice(root.length).split(sep)) {
    const paths = await Promise.all(found.map((folder) => pathsIn(folder, part, join)))
    found = paths.flat().slice(0, mostPaths)
  }
  return found
}
