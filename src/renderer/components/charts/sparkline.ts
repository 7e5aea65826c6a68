/**
 * Returns the SVG path of a small line in a box of `width` by `height`. `values` are equidistant; null and NaN are gaps.
 * `low` and `high` are the values at the bottom and the top. A value between two gaps becomes a dot.
 */
export function sparklinePath(
  values: readonly (number | null)[],
  width: number,
  height: number,
  low: number,
  high: number,
): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const span = high - low || 1
  let path = ''
  let pen = false
  values.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) {
      pen = false
      return
    }
    const x = Number((index * step).toFixed(1))
    const share = Math.min(1, Math.max(0, (value - low) / span))
    const y = Number((height - share * height).toFixed(1))
    const next = values[index + 1]
    const isSingle = !pen && (next === null || next === undefined || !Number.isFinite(next))
    path += isSingle ? `M${x} ${y}h0.1` : `${pen ? 'L' : 'M'}${x} ${y}`
    pen = true
  })
  return path
}
