import { searchText } from '#shared/search-text'

/** Something that the palette can do, by the words it is found by. */
export interface Command {
  readonly id: string
  readonly group: 'machines' | 'actions' | 'volumes' | 'pages' | 'settings' | 'accounts' | 'appearance'
  readonly title: string
  /** Beside the title: an account, a state. */
  readonly hint: string
  /** Other words that a person may type for it; not shown. */
  readonly also?: string
  /** Never rejects. */
  readonly run: () => unknown
}

/** Of equally good ones: what can be done to one of many is meant least where its name was not typed. */
const groupOrder: readonly Command['group'][] = [
  ...(['machines', 'volumes', 'pages', 'settings', 'accounts', 'appearance', 'actions'] as const),
]

const shownPerGroup = 8
/** Before anything is typed, so that all groups are seen at once. */
const shownAtFirst = 4

/** Whether the letters of `word` follow each other in `text`, with others between them. */
function isScattered(word: string, text: string): boolean {
  let at = 0
  for (const letter of text) if (letter === word[at]) at += 1
  return at === word.length
}

/**
 * How well `words` fit: every one must occur; the beginning of the title counts most, then the beginnings of words.
 * `scattered`: other letters may stand between those of a word of at least three.
 */
function score(command: Command, words: readonly string[], scattered: boolean): number | null {
  const title = searchText(command.title)
  const text = searchText(`${title} ${command.hint} ${command.also ?? ''}`)
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

/** The words of a query. */
const wordsOf = (query: string): readonly string[] => searchText(query).split(/\s+/).filter(Boolean)

/**
 * The commands that fit, best first inside their group, of equal ones the last used first (`recent`: their ids). The group
 * with the best comes first, as Enter runs it. Words count by their letters alone only where nothing has them whole.
 */
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
      // A use outweighs where in the title a word stands.
      const rank = use === undefined ? fit : fit + 5 + use / (recent.length + 1)
      const group = groups.get(command.group)
      if (group) group.push({ command, rank })
      else groups.set(command.group, [{ command, rank }])
    }
    return groupOrder.flatMap((name) => {
      const group = groups.get(name)?.sort((one, other) => other.rank - one.rank)
      return group ? [group] : []
    })
  }
  const whole = rankAll(false)
  const groups = whole.length > 0 ? whole : rankAll(true)
  if (words.length > 0) groups.sort(([one], [other]) => (other?.rank ?? 0) - (one?.rank ?? 0))
  return groups.flatMap((group) =>
    group.slice(0, words.length === 0 ? shownAtFirst : shownPerGroup).map(({ command }) => command),
  )
}

/** Of so many resources of a kind at most everything is offered that can be done to them. */
export const mostActedOn = 60

/** Those that a word of the query names, or all where none does. */
export function namedFirst<Named extends { readonly name: string }>(
  all: readonly Named[],
  query: string,
): readonly Named[] {
  const words = wordsOf(query)
  const named = all.filter(({ name }) => words.some((word) => searchText(name).includes(word)))
  return named.length > 0 ? named : all
}

/** Distinguishes resources of one name: the id of each that is not the only one. */
export function distinctions(
  names: Iterable<{ readonly name: string }>,
): (of: { readonly name: string; readonly id: string }) => string {
  const counts = new Map<string, number>()
  for (const { name } of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return ({ name, id }) => ((counts.get(name) ?? 0) > 1 ? ` · ${id}` : '')
}
