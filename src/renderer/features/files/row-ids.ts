/** Assigns the same id to the same name in each listing, so that rows stay selected. */
export function rowIds(): (names: readonly string[]) => readonly string[] {
  /** Ids by name. A machine may list a name several times. */
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
