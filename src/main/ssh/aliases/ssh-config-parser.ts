import { createHash } from 'node:crypto'
import { posix, win32 } from 'node:path'

// The user's ssh_config(5) is read as latin1: one character for each byte, so that writing it back changes nothing.

/**
 * Name of the file of aliases. The Include line is relative to ~/.ssh, so it needs no quoting and every ssh reads it in the
 * same way, including Git for Windows.
 */
export const aliasFileName = 'wheelhouse.conf'
export const includeLine = `Include ${aliasFileName}`

/**
 * Returns the name of the file of aliases for a folder of user data. Another folder than the usual one has a file of its
 * own: two instances would overwrite each other's aliases.
 */
export const aliasFileOf = (userData: string, usualUserData: string): string =>
  userData === usualUserData
    ? aliasFileName
    : `wheelhouse-${createHash('sha256').update(userData).digest('hex').slice(0, 8)}.conf`

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/)

/** Splits a line into its keyword, in lower case, and its arguments; undefined for a comment or an empty line. */
const directive = (line: string): { readonly keyword: string; readonly rest: string } | undefined => {
  // ssh reads `"Host" a` and `Ho"st" a` as `Host a`.
  const plain = line.replace(/^(\s*[A-Za-z0-9]*)"([A-Za-z0-9]*)"\s*/, '$1$2 ')
  const [, keyword, rest] = /^\s*([A-Za-z][A-Za-z0-9]*)(?:\s*=\s*|\s+)(.*)$/s.exec(plain) ?? []
  if (keyword === undefined || rest === undefined) return undefined
  return { keyword: keyword.toLowerCase(), rest: rest.trimEnd() }
}

/**
 * Splits arguments as ssh does since 8.7: quotes of both kinds anywhere in a word; a backslash escapes a quote, a backslash
 * and, outside quotes, a space. Before other characters it is a plain backslash.
 */
function wordsOf(rest: string): readonly string[] {
  const words: string[] = []
  let [word, quote]: [string | null, string] = [null, '']
  for (const [piece] of rest.matchAll(/\\["'\\ ]|[^]/g)) {
    const isEscape = piece.length === 2 && (quote === '' || piece !== '\\ ')
    if (isEscape) word = (word ?? '') + piece.charAt(1)
    else if (quote === '' && /\s/.test(piece)) {
      if (word !== null) words.push(word)
      word = null
    } else if (quote === '' && word === null && piece === '#') return words
    else if (piece === quote) quote = ''
    else if (quote === '' && /["']/.test(piece)) [word, quote] = [word ?? '', piece]
    else word = (word ?? '') + piece
  }
  return word === null ? words : [...words, word]
}

const argumentsOf = (text: string, keyword: string): readonly string[] =>
  linesOf(text).flatMap((line) => {
    const parsed = directive(line)
    return parsed?.keyword === keyword ? wordsOf(parsed.rest) : []
  })

/** Returns whether every line is empty, a comment, or a keyword with a value. ssh refuses other text. */
export const isConfigText = (text: string): boolean =>
  !text.includes('\0') &&
  linesOf(text).every((line) => /^\s*(?:#.*)?$/s.test(line) || Boolean(directive(line)?.rest))

/**
 * Returns whether ssh may run a command while it reads the text (`Match exec`). ssh splits the criteria of `Match` in its
 * own way, so any `exec` in the line counts.
 */
export const runsCommands = (text: string): boolean =>
  linesOf(text).some((line) => {
    const parsed = directive(line)
    return parsed?.keyword === 'match' && /exec/i.test(parsed.rest)
  })

/** Returns the patterns of the criteria `host` and `originalhost` of a Match line, without `!host`. */
function matchedHosts(words: readonly string[]): readonly string[] {
  const hosts: string[] = []
  let isArgument = false
  let isHost = false
  for (const word of words) {
    const joined: RegExpExecArray | null = isArgument ? null : /^([^=]*)=(.*)$/s.exec(word)
    const argument: string | undefined = isArgument ? word : joined?.[2]
    if (!isArgument) isHost = /^(?:original)?host$/i.test(joined?.[1] ?? word)
    if (isHost && argument !== undefined) hosts.push(argument)
    isArgument = argument === undefined && !/^!?(?:all|canonical|final)$/i.test(word)
  }
  return hosts.flatMap((list) => list.split(','))
}

/** Patterns of `Host` and `Match` lines: a host with its own options is in use. */
const patternsIn = (text: string): readonly string[] => [
  ...argumentsOf(text, 'host'),
  ...linesOf(text).flatMap((line) => matchedHosts(argumentsOf(line, 'match'))),
]

/** Returns the hosts that are named without wildcards. */
export const hostsIn = (text: string): readonly string[] =>
  patternsIn(text).filter((pattern) => !/[*?!]/.test(pattern))

/** Returns whether a name or a pattern such as `prod-*` can match a name without dots. A plain `*` doesn't count. */
export const isHostLabel = (pattern: string): boolean => /^[^!.:]+$/.test(pattern) && /[^*?]/.test(pattern)

/** Returns the patterns that a name without dots may match. */
export const hostPatternsIn = (text: string): readonly string[] =>
  patternsIn(text).filter((pattern) => /[*?]/.test(pattern) && isHostLabel(pattern))

/** Matches a name against a pattern with `*` and `?`. A regular expression would be slow for many `*`. */
export function matchesPattern(pattern: string, name: string): boolean {
  let [from, at] = [0, 0]
  /** Position after the last `*`, and the end of the text that it matches. */
  let last: { from: number; at: number } | undefined
  while (at < name.length) {
    const wanted = pattern[from]
    if (wanted === '*') {
      from += 1
      last = { from, at }
    } else if (wanted === '?' || wanted === name[at]) {
      from += 1
      at += 1
    } else if (last) {
      last.at += 1
      from = last.from
      at = last.at
    } else return false
  }
  return /^\**$/.test(pattern.slice(from))
}

/** Returns the arguments of `Include` lines. */
export const includesIn = (text: string): readonly string[] =>
  // File names are UTF-8 on every system.
  argumentsOf(text, 'include').map((name) => Buffer.from(name, 'latin1').toString('utf8'))

/**
 * Returns the paths that an Include may mean. A relative name is in `base`, by default ~/.ssh. OpenSSH expands tokens and
 * variables since 9.9 and reads them literally before, so such a name has two paths. Null: the name can't be resolved
 * here, such as `~user/…` or a token other than `%d`, `%%` and `${HOME}`.
 */
export function includePaths(
  written: string,
  home: string,
  platform: NodeJS.Platform,
  base?: string,
): readonly string[] | null {
  const { join, isAbsolute, normalize } = platform === 'win32' ? win32 : posix
  const isOfHome = (name: string): boolean =>
    name.startsWith('~/') || (platform === 'win32' && name.startsWith('~\\'))
  if (written.startsWith('~') && !isOfHome(written)) return null
  const tokens: Readonly<Record<string, string>> = { '%%': '%', '%d': home, '${HOME}': home }
  const unknown = written.replaceAll(/%%|%d|\$\{HOME\}/g, '')
  if (/%|\$\{/.test(unknown)) return null
  const expanded = written.replaceAll(/%%|%d|\$\{HOME\}/g, (token) => tokens[token] ?? token)
  return [...new Set([expanded, written])].map((name) => {
    if (isOfHome(name)) return join(home, name.slice(2))
    return isAbsolute(name) ? normalize(name) : join(base ?? join(home, '.ssh'), name)
  })
}

/** Returns whether the line applies to every host: it is before the first `Host` and `Match`. */
export const isIncluded = (text: string, ours = includeLine): boolean => {
  const lines = linesOf(text)
  const first = lines.findIndex((line) => ['host', 'match'].includes(directive(line)?.keyword ?? ''))
  return (first < 0 ? lines : lines.slice(0, first)).some((line) => line.trim() === ours)
}

/**
 * Adds the line in front of everything. ssh uses the first value of an option: a value that the user sets for all hosts, such as
 * another known-hosts file, would make an alias less safe than the application's terminals.
 */
export const withInclude = (text: string, ours = includeLine): string =>
  isIncluded(text, ours) ? text : `${ours}${/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'}${text}`

export const withoutInclude = (text: string, ours = includeLine): string =>
  linesOf(text)
    .filter((line) => line.trim() !== ours)
    .join('')
