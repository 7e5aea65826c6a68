import type { LoadPoint } from './idle-chain'

/** Seconds over which a CPU's load is averaged: updates and backups are no work. */
export const averagedOver = 600

interface Stretch {
  readonly from: number
  readonly to: number
  readonly sum: number
  readonly count: number
}

const joined = (one: Stretch, other: Stretch): Stretch => ({
  from: one.from,
  to: other.to,
  sum: one.sum + other.sum,
  count: one.count + other.count,
})

/** Joins a stretch at either end that is too short to be averaged by itself with its neighbour. */
const withoutShortEnds = (stretches: readonly Stretch[]): readonly Stretch[] => {
  const [first, second, ...rest] = stretches
  if (!first || !second) return stretches
  const begun = first.to - first.from < averagedOver / 2 ? [joined(first, second), ...rest] : stretches
  const [last, before] = [begun.at(-1), begun.at(-2)]
  return last && before && last.to - last.from < averagedOver / 2
    ? [...begun.slice(0, -2), joined(before, last)]
    : begun
}

/** A CPU's load as one point per stretch, at its end; what is not known does not count. Pure. */
export function averaged(times: Float64Array, values: Float64Array): readonly LoadPoint[] {
  const stretches: Stretch[] = []
  times.forEach((time, at) => {
    const value = values[at] ?? NaN
    if (Number.isNaN(value)) return
    const point = { from: time, to: time, sum: value, count: 1 }
    const last = stretches.at(-1)
    if (last && Math.floor(last.from / averagedOver) === Math.floor(time / averagedOver))
      stretches.splice(-1, 1, joined(last, point))
    else stretches.push(point)
  })
  return withoutShortEnds(stretches).map(({ to, sum, count }) => ({ time: to, busiest: sum / count }))
}
