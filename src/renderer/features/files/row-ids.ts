/** Gives the rows of each listing the ids that their names had before, so that they stay selected. */
export function rowIds(): (names: readonly string[]) => readonly string[] {
  /** By name; a machine may send one several times. */
  const known = new Map<string, string[]>()
  let next = 0
  return (names) => {
    const seen = new Map<string, number>()
    return names.map((name) => {
      const count = seen.get(name) ?? 0
      seen.set(name, count + 1)
      const ids = known.get(name) ?? []
      known.set(name, ids)
      return (ids[count] ??= String(next++))
    })
  }
}
