export interface Selection {
  readonly chosen: ReadonlySet<string>
  readonly anchor: string | null
}

export const nothingChosen: Selection = { chosen: new Set(), anchor: null }

export function toggled({ chosen }: Selection, id: string): Selection {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return { chosen: next, anchor: id }
}

/** Selects the range between the anchor and the row; `rows` are in visible order. */
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

/** Removes rows that are not `present`; returns the same object if there are none. */
export function pruned(selection: Selection, present: (id: string) => boolean): Selection {
  const remaining = [...selection.chosen].filter(present)
  return remaining.length === selection.chosen.size ? selection : { ...selection, chosen: new Set(remaining) }
}
