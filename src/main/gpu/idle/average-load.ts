import type { LoadPoint } from './idle-chain'

/** Period over which a CPU's load is averaged, so that updates and backups do not count as work. */
export const averagingSeconds = 600

interface Stretch {
  readonly from: number
  readonly to: number
  readonly sum: number
  readonly count: number
}

const joined = (first: Stretch, second: Stretch): Stretch => ({
  from: first.from,
  to: second.to,
  sum: first.sum + second.sum,
  count: first.count + second.count,
})

/** Merges the first and the last stretch into their neighbour if they are too short for an average of their own. */
const withoutShortEnds = (stretches: readonly Stretch[]): readonly Stretch[] => {
  const [first, second, ...rest] = stretches
  if (!first || !second) return stretches
  const begun = first.to - first.from < averagingSeconds / 2 ? [joined(first, second), ...rest] : stretches
  const [last, previous] = [begun.at(-1), begun.at(-2)]
  return last && previous && last.to - last.from < averagingSeconds / 2
    ? [...begun.slice(0, -2), joined(previous, last)]
    : begun
}

/** Averages a CPU's load, one point at the end of each stretch. Unknown values are skipped. Pure. */
export function averaged(times: Float64Array, values: Float64Array): readonly LoadPoint[] {
  const stretches: Stretch[] = []
  times.forEach((time, index) => {
    const value = values[index] ?? NaN
    if (Number.isNaN(value)) return
    const point = { from: time, to: time, sum: value, count: 1 }
    const last = stretches.at(-1)
    if (last && Math.floor(last.from / averagingSeconds) === Math.floor(time / averagingSeconds))
      stretches.splice(-1, 1, joined(last, point))
    else stretches.push(point)
  })
  return withoutShortEnds(stretches).map(({ to, sum, count }) => ({ time: to, busiest: sum / count }))
}
