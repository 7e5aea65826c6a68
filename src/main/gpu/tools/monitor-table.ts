/** Upper bound on the lines read: a machine has a few GPUs and hundreds of processes. */
const maxLines = 2_000

/** One line of a monitoring table: cells by the name of their column. */
export type MonitorRow = ReadonlyMap<string, string>

/**
 * Parses the tables of `nvidia-smi dmon` and `pmon`: a heading of names (`# gpu pwr`), a heading of units (`# Idx W`), then
 * rows. Words beyond the last column belong to it. Pure, never throws.
 */
export function monitorRows(text: string): readonly MonitorRow[] {
  let names: readonly string[] = []
  return text.split(/\r?\n/, maxLines).flatMap((line): readonly MonitorRow[] => {
    const words = line.trim().split(/\s+/)
    if (words[0] === '#') {
      if (words[1] === 'gpu') names = words.slice(1)
      return []
    }
    if (names.length === 0 || words.length < names.length) return []
    const last = words.slice(names.length - 1).join(' ')
    return [
      new Map(names.map((name, index) => [name, (index < names.length - 1 ? words[index] : last) ?? ''])),
    ]
  })
}

/** Returns the percentage in a cell; undefined for `-`, which means no value yet or none on this GPU. */
export function percentIn(row: MonitorRow, column: string): number | undefined {
  const cell = row.get(column) ?? ''
  const value = /^\d{1,3}$/.test(cell) ? Number(cell) : NaN
  return value <= 100 ? value : undefined
}
