/** Parsed output of `nvidia-smi --format=csv`. */
export interface CsvTable {
  /** Columns in order; `unit` is empty if the heading has none. */
  readonly headings: readonly { readonly name: string; readonly unit: string }[]
  readonly rows: readonly (readonly string[])[]
  /** Lines that are not rows, such as complaints of the tool. */
  readonly others: readonly string[]
}

// A comma inside a number or a name has no space after it, or is in the last column.
const separator = ', '
/** Upper bound on the lines read: a machine has a few GPUs and hundreds of processes. */
const maxLines = 2_000

const heading = /^([a-z][\w.]*)(?: \[([^\]]{1,12})\])?$/i

const headingsOf = (line: string): CsvTable['headings'] | undefined => {
  const matches = line.split(separator).map((cell) => heading.exec(cell.trim()))
  const headings = matches.flatMap((match) => (match ? [{ name: match[1] ?? '', unit: match[2] ?? '' }] : []))
  return headings.length === matches.length ? headings : undefined
}

/**
 * Parses the table whose heading line begins with a column named in `first`; undefined if there is none. Extra commas
 * belong to the last column.
 */
export function csvTable(text: string, first: readonly string[]): CsvTable | undefined {
  const lines = text.split(/\r?\n/, maxLines).filter((line) => line.trim() !== '')
  const headingsAt = (line: string) => {
    if (!first.some((name) => line.trimStart().startsWith(name))) return undefined
    const headings = headingsOf(line)
    return headings && first.includes(headings[0]?.name ?? '') ? headings : undefined
  }
  const headingIndex = lines.findIndex((line) => headingsAt(line) !== undefined)
  const headings = headingsAt(lines[headingIndex] ?? '')
  if (!headings) return undefined
  const rows: (readonly string[])[] = []
  const others = lines.slice(0, headingIndex)
  for (const line of lines.slice(headingIndex + 1)) {
    const cells = line.split(separator).map((cell) => cell.trim())
    if (cells.length < headings.length) others.push(line.trim())
    else rows.push([...cells.slice(0, headings.length - 1), cells.slice(headings.length - 1).join(separator)])
  }
  return { headings, rows, others }
}
