export interface Ticks {
  readonly min: number
  readonly max: number
  readonly step: number
}

/**
 * Returns an axis from `low` to `high` in about `wanted` steps of 1, 2 or 5 times a power of ten. `whole`: no step is
 * below 1. If both ends are equal, the axis extends above the value (below a negative one).
 */
export function niceTicks(low: number, high: number, wanted = 4, whole = false): Ticks {
  const from = Math.min(low, high)
  const highest = Math.max(low, high)
  // Treats values whose difference is rounding noise as equal.
  const same = highest - from <= 1e-6 * Math.max(Math.abs(from), Math.abs(highest))
  const to = same ? (from < 0 ? 0 : from === 0 ? 1 : from * 1.2) : highest
  const rough = (to - from) / Math.max(1, wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10
  const step = whole ? Math.max(1, Math.round(factor * power)) : factor * power
  // Rounded, so that 3 × 0.1 is not 0.30000000000000004.
  const clean = (value: number): number => Number((Math.round(value / step) * step).toPrecision(12))
  return {
    min: clean(Math.floor(from / step + 1e-9) * step),
    max: clean(Math.ceil(to / step - 1e-9) * step),
    step,
  }
}

export const tickValues = ({ min, max, step }: Ticks): readonly number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) =>
    Number((min + index * step).toPrecision(12)),
  )
