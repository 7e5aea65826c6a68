/** What nvidia-smi prints with `--format=csv`: cells by column name, with the unit that the heading gives. */
export interface CsvTable {
  /** In the order of the columns; the unit is empty where the heading gives none. */
  readonly headings: readonly { readonly name: string; readonly unit: string }[]
  readonly rows: readonly (readonly string[])[]
  /** Lines that are no rows, such as the tool's complaints. */
  readonly others: readonly string[]
}

// A comma within a number or a name has no blank behind it, or stands in the last column.
const separator = ', '
/** Lines that are read: a machine has a few GPUs and hundreds of processes, and what it prints besides is short. */
const linesRead = 2_000

const heading = /^([a-z][\w.]*)(?: \[([^\]]{1,12})\])?$/i

const headingsOf = (line: string): CsvTable['headings'] | undefined => {
  const found = line.split(separator).map((cell) => heading.exec(cell.trim()))
  const headings = found.flatMap((match) => (match ? [{ name: match[1] ?? '', unit: match[2] ?? '' }] : []))
  return headings.length === found.length ? headings : undefined
}

/**
 * The table in `text` whose heading line begins with the column `first` (by any of its names); undefined where there
 * is none. Extra commas belong to the last column.
 */
export function csvTable(text: string, first: readonly string[]): CsvTable | undefined {
  const lines = text.split(/\r?\n/, linesRead).filter((line) => line.trim() !== '')
  const headingsAt = (line: string) => {
    const headings = headingsOf(line)
    return headings && first.includes(headings[0]?.name ?? '') ? headings : undefined
  }
  const at = lines.findIndex((line) => headingsAt(line) !== undefined)
  const headings = headingsAt(lines[at] ?? '')
  if (!headings) return undefined
  const rows: (readonly string[])[] = []
  const others = lines.slice(0, at)
  for (const line of lines.slice(at + 1)) {
    const cells = line.split(separator).map((cell) => cell.trim())
    if (cells.length < headings.length) others.push(line.trim())
    else rows.push([...cells.slice(0, headings.length - 1), cells.slice(headings.length - 1).join(separator)])
  }
  return { headings, rows, others }
}
