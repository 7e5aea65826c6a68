/** Which rows are chosen, and where a range begins. Pure. */
export interface Selection {
  readonly chosen: ReadonlySet<string>
  readonly anchor: string | null
}

export const nothingChosen: Selection = { chosen: new Set(), anchor: null }

/** Chooses the row, or leaves it out where it was chosen. */
export function toggled({ chosen }: Selection, id: string): Selection {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return { chosen: next, anchor: id }
}

/** Chooses everything between the anchor and the row as well; `rows` are in the order that is seen. */
export function extendedTo({ chosen, anchor }: Selection, id: string, rows: readonly string[]): Selection {
  const to = rows.indexOf(id)
  const from = anchor === null ? to : rows.indexOf(anchor)
  if (to < 0 || from < 0) return toggled({ chosen, anchor }, id)
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { chosen: new Set([...chosen, ...range]), anchor: anchor ?? id }
}

export const allOf = (rows: readonly string[]): Selection => ({
  chosen: new Set(rows),
  anchor: rows[0] ?? null,
})

/** What is left of it where only `present` are still there: the same object where nothing is missing. */
export function pruned(selection: Selection, present: (id: string) => boolean): Selection {
  const left = [...selection.chosen].filter(present)
  return left.length === selection.chosen.size ? selection : { ...selection, chosen: new Set(left) }
}
