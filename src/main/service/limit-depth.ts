/** Levels of an answer that are read. Deeper values may overflow the stack of recursive code. */
const maxDepth = 60

const allCut = (values: readonly unknown[], levelsLeft: number): readonly unknown[] => {
  let copy: unknown[] | undefined
  for (let at = 0; at < values.length; at += 1) {
    const inner = values[at]
    // Most values are no objects; skipping them saves calls.
    if (typeof inner !== 'object') continue
    const cut = withoutDepths(inner, levelsLeft)
    if (cut === inner) continue
    copy ??= [...values]
    copy[at] = cut
  }
  return copy ?? values
}

/**
 * Replaces values that are nested too deep with `…`. Returns the same object if nothing is too deep. Visits each
 * value once, as every answer passes through.
 */
export function withoutDepths(value: unknown, levelsLeft = maxDepth): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levelsLeft === 0) return '…'
  if (Array.isArray(value)) return allCut(value, levelsLeft - 1)
  const values: readonly unknown[] = Object.values(value)
  const cut = allCut(values, levelsLeft - 1)
  return cut === values ? value : Object.fromEntries(Object.keys(value).map((key, at) => [key, cut[at]]))
}
