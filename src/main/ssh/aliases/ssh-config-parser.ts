import { createHash } from 'node:crypto'
import { posix, win32 } from 'node:path'

/**
 * The person's ssh_config(5), as text in which every byte is one character (latin1): what is not ours is never changed.
 * The line is relative to ~/.ssh: so it needs no quoting, whatever the home folder is called, and every ssh reads it the
 * same way, that of Git for Windows too.
 */
export const aliasFileName = 'wheelhouse.conf'
export const includeLine = `Include ${aliasFileName}`

/**
 * The file of a profile: one whose data do not lie where they usually do has a file of its own, since two that run at
 * once would overwrite each other's.
 */
export const aliasFileOf = (userData: string, usualUserData: string): string =>
  userData === usualUserData
    ? aliasFileName
    : `wheelhouse-${createHash('sha256').update(userData).digest('hex').slice(0, 8)}.conf`

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/)

/** The keyword of a line in lower case with what follows it; undefined for a comment or an empty line. */
const directive = (line: string): { readonly keyword: string; readonly rest: string } | undefined => {
  // ssh reads `"Host" a` and `Ho"st" a` as `Host a`.
  const plain = line.replace(/^(\s*[A-Za-z0-9]*)"([A-Za-z0-9]*)"\s*/, '$1$2 ')
  const [, keyword, rest] = /^\s*([A-Za-z][A-Za-z0-9]*)(?:\s*=\s*|\s+)(.*)$/s.exec(plain) ?? []
  if (keyword === undefined || rest === undefined) return undefined
  return { keyword: keyword.toLowerCase(), rest: rest.trimEnd() }
}

/**
 * The words of a line as ssh since 8.7 reads them, on every system: quotes of both kinds, anywhere in a word, and a
 * backslash that escapes a quote, itself and, outside quotes, a blank. Before others it is a backslash.
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
    const found = directive(line)
    return found?.keyword === keyword ? wordsOf(found.rest) : []
  })

/** Whether every line is a comment, empty, or a keyword with its value. ssh refuses the rest, so nothing is added to it. */
export const isConfigText = (text: string): boolean =>
  !text.includes('\0') &&
  linesOf(text).every((line) => /^\s*(?:#.*)?$/s.test(line) || Boolean(directive(line)?.rest))

/**
 * Whether ssh may run a command as it reads the text (`Match exec`). It splits the criteria of `Match` in another way than
 * other words, so the word alone counts, wherever it stands.
 */
export const runsCommands = (text: string): boolean =>
  linesOf(text).some((line) => {
    const found = directive(line)
    return found?.keyword === 'match' && /exec/i.test(found.rest)
  })

/** The patterns of the criteria `host` and `originalhost` of a Match line; those of `!host` name none. */
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

/** Of `Host` lines, and of `Match` lines: a host that has options of its own is one that the person reaches. */
const patternsIn = (text: string): readonly string[] => [
  ...argumentsOf(text, 'host'),
  ...linesOf(text).flatMap((line) => matchedHosts(argumentsOf(line, 'match'))),
]

/** The hosts that are named in full. */
export const hostsIn = (text: string): readonly string[] =>
  patternsIn(text).filter((pattern) => !/[*?!]/.test(pattern))

/** Whether a name, or a pattern such as `prod-*`, can stand for a name without dots. One for all hosts (`*`) names none. */
export const isHostLabel = (pattern: string): boolean => /^[^!.:]+$/.test(pattern) && /[^*?]/.test(pattern)

/** The patterns of hosts that a name without dots may match. */
export const hostPatternsIn = (text: string): readonly string[] =>
  patternsIn(text).filter((pattern) => /[*?]/.test(pattern) && isHostLabel(pattern))

/** Whether a pattern with `*` and `?` stands for the name. No expression: of many `*` that would try every way. */
export function matchesPattern(pattern: string, name: string): boolean {
  let [from, at] = [0, 0]
  /** After the last `*`, and where that ends. */
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

/** The files that are included, as they are named. */
export const includesIn = (text: string): readonly string[] =>
  // Names of files are UTF-8 on every system.
  argumentsOf(text, 'include').map((name) => Buffer.from(name, 'latin1').toString('utf8'))

/**
 * Finds where ssh looks for an included file: in `base`, or else in ~/.ssh, if its name is relative. OpenSSH expands tokens
 * and variables since 9.9, and takes them literally before, so a name with some has two paths. Null: the name can't be
 * resolved here, as `~user/…`, and tokens and variables other than `%d`, `%%` and `${HOME}`.
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

/** Whether the line stands where it holds for every host: before the first `Host` and `Match`. */
export const isIncluded = (text: string, ours = includeLine): boolean => {
  const lines = linesOf(text)
  const first = lines.findIndex((line) => ['host', 'match'].includes(directive(line)?.keyword ?? ''))
  return (first < 0 ? lines : lines.slice(0, first)).some((line) => line.trim() === ours)
}

/**
 * With the line in front of everything: of each option ssh takes the first value, and one that the person sets for all
 * hosts, such as another known-hosts file, would make an alias less safe than a terminal of ours.
 */
export const withInclude = (text: string, ours = includeLine): string =>
  isIncluded(text, ours) ? text : `${ours}${/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'}${text}`

export const withoutInclude = (text: string, ours = includeLine): string =>
  linesOf(text)
    .filter((line) => line.trim() !== ours)
    .join('')
