/** Something that the palette can do, by the words it is found by. */
export interface Command {
  readonly id: string
  readonly group: 'machines' | 'pages' | 'accounts' | 'appearance'
  readonly title: string
  /** Beside the title: an account, a state. */
  readonly hint: string
  readonly run: () => void
}

const shownPerGroup = 8
/** Before anything is typed, so that all groups are seen at once. */
const shownAtFirst = 4

/** How well `words` fit: every one must occur; the beginning of the title counts most, then the beginnings of words. */
function score(command: Command, words: readonly string[]): number | null {
  const title = command.title.toLowerCase()
  const text = `${title} ${command.hint.toLowerCase()}`
  let sum = 0
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return null
    const beginning = at === 0 || /[\s\-_.:/]/.test(text[at - 1] ?? '')
    sum += (title.startsWith(word) ? 4 : 0) + (beginning ? 2 : 0) + (at < title.length ? 1 : 0)
  }
  return sum
}

/** The commands that fit, best first inside their group; groups in the order given, a few of each. */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<Command['group'], { command: Command; rank: number }[]>()
  for (const command of commands) {
    const rank = score(command, words)
    if (rank === null) continue
    const group = groups.get(command.group)
    if (group) group.push({ command, rank })
    else groups.set(command.group, [{ command, rank }])
  }
  return [...groups.values()].flatMap((group) =>
    group
      .sort((one, other) => other.rank - one.rank)
      .slice(0, words.length === 0 ? shownAtFirst : shownPerGroup)
      .map(({ command }) => command),
  )
}
