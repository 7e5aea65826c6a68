import { describe, expect, it } from 'vitest'
import { clean } from './clean'
import { merged } from './merge'

const start = 1_795_269_600
const minutes = (from: number, values: readonly number[]) => {
  const data = values.map((value, at) => ({ time: start + (from + at) * 60, value }))
  return clean({ cpu: { unit: '%', data } })
}
const cpuOf = ({ series }: ReturnType<typeof clean>) => ({
  times: Array.from(series.cpu.times, (time) => (time - start) / 60),
  values: [...series.cpu.values],
})

describe('two answers about one machine', () => {
  it('are one line, in which the newer answer counts where both overlap', () => {
    const both = merged(minutes(0, [1, 2, 3, 4]), minutes(2, [30, 40, 50]), start)
    expect(cpuOf(both)).toEqual({ times: [0, 1, 2, 3, 4], values: [1, 2, 30, 40, 50] })
  })

  it('drop points older than the period', () => {
    expect(cpuOf(merged(minutes(0, [1, 2, 3]), minutes(3, [4]), start + 120)).times).toEqual([2, 3])
  })

  it('have a gap between them if nothing was measured', () => {
    const both = merged(minutes(0, [1, 2, 3]), minutes(150, [4, 5]), start)
    expect(cpuOf(both)).toEqual({ times: [0, 1, 2, 3, 150, 151], values: [1, 2, 3, NaN, 4, 5] })
  })

  it('equal the older one if the newer one is empty', () => {
    expect(cpuOf(merged(minutes(0, [1, 2]), clean({}), start))).toEqual({ times: [0, 1], values: [1, 2] })
  })
})
