/**
 * The path of a small line in a box of `width` by `height`, for `values` evenly apart of which null (or NaN) is a gap.
 * `low` and `high` are what bottom and top stand for. A value alone between gaps is a dot as wide as the line.
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
    const alone = !pen && (next === null || next === undefined || !Number.isFinite(next))
    path += alone ? `M${x} ${y}h0.1` : `${pen ? 'L' : 'M'}${x} ${y}`
    pen = true
  })
  return path
}
