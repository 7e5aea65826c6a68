/** Levels of an answer that are read; no service means more, and what walks through a value may end in the stack's. */
const deepest = 60

/** The same list unless something in it was cut. */
const allCut = (values: readonly unknown[], left: number): readonly unknown[] => {
  let copy: unknown[] | undefined
  for (let at = 0; at < values.length; at += 1) {
    const inner = values[at]
    // Most values are no objects: only those are worth a call.
    if (typeof inner !== 'object') continue
    const cut = withoutDepths(inner, left)
    if (cut === inner) continue
    copy ??= [...values]
    copy[at] = cut
  }
  return copy ?? values
}

/**
 * A value of JSON in whose place `…` stands wherever it is nested too deep. What holds nothing that deep is the same object.
 * Every answer comes through here, and each value in it is looked at once.
 */
export function withoutDepths(value: unknown, left = deepest): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return '…'
  if (Array.isArray(value)) return allCut(value, left - 1)
  const values: readonly unknown[] = Object.values(value)
  const cut = allCut(values, left - 1)
  return cut === values ? value : Object.fromEntries(Object.keys(value).map((key, at) => [key, cut[at]]))
}
