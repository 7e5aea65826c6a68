import { describe, expect, it } from 'vitest'
import { averaged } from './average-load'

const start = 1_795_269_600
const minutes = (values: readonly number[], from = start) =>
  averaged(
    Float64Array.from(values, (_, at) => from + at * 60),
    Float64Array.from(values),
  )

describe('the load of a CPU', () => {
  it('is averaged over ten minutes, so that short upkeep is not work', () => {
    const points = minutes([2, 2, 2, 2, 20, 2, 2, 2, 2, 2, ...Array.from({ length: 10 }, () => 90)])
    expect(points).toEqual([
      { time: start + 9 * 60, busiest: 3.8 },
      { time: start + 19 * 60, busiest: 90 },
    ])
  })

  it('merges a short stretch at either end into its neighbour', () => {
    const points = minutes([40, ...Array.from({ length: 20 }, () => 1), 7], start - 60)
    expect(points).toHaveLength(2)
    expect(points[0]?.busiest).toBeCloseTo(50 / 11)
    expect(points[1]?.busiest).toBeCloseTo(17 / 11)
  })

  it('skips unknown values', () => {
    expect(minutes([NaN, NaN])).toEqual([])
    expect(minutes([1, NaN, 3]).map(({ busiest }) => busiest)).toEqual([2])
  })
})
