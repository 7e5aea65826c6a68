import { describe, expect, it } from 'vitest'
import type { GpuSeries } from '#shared/bridge/gpu'
import { gpuCharts, gpuSeconds, meanOf } from './gpu-lines'

const series = (index: number, points: readonly (readonly [number, number])[]): GpuSeries => {
  const time = Float64Array.from(points, ([at]) => at)
  const values = Float64Array.from(points, ([, value]) => value)
  return {
    gpu: `GPU-${String(index)}`,
    index,
    time,
    utilization: values,
    memory: values,
    temperature: values,
    power: values,
  }
}
const color = (place: number): string => `color-${String(place)}`

describe('the charts of GPUs', () => {
  it('show one mean per machine, with a gap if no GPU has a value', () => {
    const { times, values } = meanOf(
      [
        series(0, [
          [0, 20],
          [60, Number.NaN],
          [120, 40],
        ]),
        series(1, [
          [0, 60],
          [60, Number.NaN],
          [180, 10],
        ]),
      ],
      'utilization',
    )
    expect([...times]).toEqual([0, 60, 120, 180])
    expect([...values]).toEqual([40, Number.NaN, 40, 10])
  })

  it('keep the machine’s colour, and show a line per GPU of a single machine', () => {
    const curves = { step: 60, gpus: [series(0, [[0, 1]]), series(1, [[0, 2]])] }
    const compared = gpuCharts([{ name: 'b', place: 1, curves }], color, true)
    expect(compared.map(({ group, lines }) => [group, lines.map((line) => [line.name, line.color])])).toEqual(
      [
        ['gpu', [['b', 'color-1']]],
        ['gpuMemory', [['b', 'color-1']]],
      ],
    )
    const [alone] = gpuCharts([{ name: 'a', place: 0, curves }], color, false)
    expect(alone?.lines.map((line) => [line.name, line.color])).toEqual([
      ['GPU 0', 'color-0'],
      ['GPU 1', 'color-1'],
    ])
    expect(gpuCharts([], color, true)).toEqual([])
  })

  it('cover the service’s period, up to the time that readings are stored', () => {
    expect([gpuSeconds('2h'), gpuSeconds('30d'), gpuSeconds('all')]).toEqual([7_200, 2_592_000, 7_776_000])
  })
})
