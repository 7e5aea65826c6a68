import { searchText } from '#shared/locale'

/** A command of the palette, with the words that find it. */
export interface Command {
  readonly id: string
  readonly group:
    | 'machines'
    | 'actions'
    | 'volumes'
    | 'jobs'
    | 'pages'
    | 'settings'
    | 'accounts'
    | 'appearance'
  readonly title: string
  /** Text next to the title, such as an account or a state. */
  readonly hint?: string
  /** Hidden words that also find the command. */
  readonly keywords?: string
  readonly run: () => unknown
}

/** Order of groups with equal matches. Actions are the least likely if their resource was not named. */
const groupOrder: readonly Command['group'][] = [
  'machines',
  'volumes',
  'jobs',
  'pages',
  'settings',
  'accounts',
  'appearance',
  'actions',
]

const maxPerGroup = 8
/** Limit for an empty query, so that all groups fit the screen. */
const maxPerGroupAtFirst = 4

/** Returns whether `text` contains the letters of `word` in order, with other letters between them. */
function isScattered(word: string, text: string): boolean {
  let matched = 0
  for (const letter of text) if (letter === word[matched]) matched += 1
  return matched === word.length
}

/** Rates a match of all words. `scattered` allows other letters inside a word of three or more letters. */
function score(command: Command, words: readonly string[], scattered: boolean): number | null {
  const title = searchText(command.title)
  const text = searchText(`${title} ${command.hint ?? ''} ${command.keywords ?? ''}`)
  let sum = 0
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) {
      if (!scattered || word.length < 3 || !isScattered(word, title)) return null
      sum -= 4
      continue
    }
    const beginning = at === 0 || /[\s\-_.:/]/.test(text[at - 1] ?? '')
    sum += (title.startsWith(word) ? 4 : 0) + (beginning ? 2 : 0) + (at < title.length ? 1 : 0)
  }
  return sum
}

const wordsOf = (query: string): readonly string[] => searchText(query).split(/\s+/).filter(Boolean)

/** Returns the matching commands, best group and best match first. `recent`: ids of recent commands, newest first. */
export function findCommands(
  commands: readonly Command[],
  query: string,
  recent: readonly string[] = [],
): readonly Command[] {
  const words = wordsOf(query)
  const uses = new Map(recent.map((id, index) => [id, recent.length - index]))
  const rankAll = (scattered: boolean) => {
    const groups = new Map<Command['group'], { command: Command; rank: number }[]>()
    for (const command of commands) {
      const fit = score(command, words, scattered)
      if (fit === null) continue
      const use = uses.get(command.id)
      // A recent use outweighs the word's position in the title.
      const rank = use === undefined ? fit : fit + 5 + use / (recent.length + 1)
      const group = groups.get(command.group)
      if (group) group.push({ command, rank })
      else groups.set(command.group, [{ command, rank }])
    }
    return groupOrder.flatMap((name) => {
      const group = groups.get(name)?.sort((left, right) => right.rank - left.rank)
      return group ? [group] : []
    })
  }
  // Scattered letters only count if no command contains the whole words.
  const whole = rankAll(false)
  const groups = whole.length > 0 ? whole : rankAll(true)
  const bestOf = (group: (typeof groups)[number] | undefined): number => group?.[0]?.rank ?? 0
  const machines = groups.find(([first]) => first?.command.group === 'machines')
  // Volumes often have the name of their machine, which is the more likely target.
  const rankOf = (group: (typeof groups)[number]): number =>
    machines && group[0]?.command.group === 'volumes'
      ? Math.min(bestOf(group), bestOf(machines))
      : bestOf(group)
  if (words.length > 0) groups.sort((left, right) => rankOf(right) - rankOf(left))
  return groups.flatMap((group) =>
    group.slice(0, words.length === 0 ? maxPerGroupAtFirst : maxPerGroup).map(({ command }) => command),
  )
}

/** Maximum number of resources of a kind whose actions are offered. */
export const maxWithActions = 60

/** Returns the resources that a word of the query names, or all if there are none. */
export function namedFirst<Named extends { readonly name: string }>(
  all: readonly Named[],
  query: string,
): readonly Named[] {
  const words = wordsOf(query)
  const named = all.filter(({ name }) => words.some((word) => searchText(name).includes(word)))
  return named.length > 0 ? named : all
}

/** Returns a function that appends the id to names that several resources share. */
export function distinctions(
  names: Iterable<{ readonly name: string }>,
): (of: { readonly name: string; readonly id: string }) => string {
  const counts = new Map<string, number>()
  for (const { name } of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return ({ name, id }) => ((counts.get(name) ?? 0) > 1 ? ` · ${id}` : '')
}
