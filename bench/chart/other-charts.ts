import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** All the points, as recorded by the service. */
export interface RawSeries {
  readonly times: Float64Array
  readonly cpu: Float64Array
  readonly memory: Float64Array
  readonly diskRead: Float64Array
  readonly diskWrite: Float64Array
  readonly networkIn: Float64Array
  readonly networkOut: Float64Array
}

const charts = (raw: RawSeries): readonly uPlot.AlignedData[] => [
  [raw.times, raw.cpu],
  [raw.times, raw.memory],
  [raw.times, raw.diskRead, raw.diskWrite],
  [raw.times, raw.networkIn, raw.networkOut],
]
const colors = ['#22b8a0', '#5c97ff']

/** uPlot draws in its own microtask; resolves after that. */
const drawn = (): Promise<number> =>
  new Promise((resolve) => queueMicrotask(() => resolve(performance.now())))

/** The same four charts with uPlot, which gets every point: created and drawn, updated, zoomed, and removed. */
export function otherCharts(place: HTMLElement, raw: RawSeries, width: number, height: number) {
  let made: uPlot[] = []
  let draws = 0
  return {
    async open(): Promise<number> {
      made = charts(raw).map(
        (data, index) =>
          new uPlot(
            {
              width,
              height,
              legend: { show: false },
              cursor: { show: false },
              scales: { y: { range: (_chart, _low, high) => [0, index < 2 ? 100 : high * 1.1] } },
              axes: [
                { stroke: '#93a0b0', grid: { show: false } },
                { stroke: '#93a0b0', grid: { stroke: '#2a323d', width: 1 } },
              ],
              series: [{}, ...data.slice(1).map((_, at) => ({ stroke: colors[at] ?? '', width: 1.25 }))],
              hooks: { draw: [() => (draws += 1)] },
            },
            data,
            place,
          ),
      )
      return drawn()
    },
    async draw(): Promise<number> {
      charts(raw).forEach((data, index) => made[index]?.setData(data))
      return drawn()
    },
    async zoom(min: number, max: number): Promise<number> {
      for (const chart of made) chart.setScale('x', { min, max })
      return drawn()
    },
    /** Number of chart draws since the last call. */
    draws(): number {
      const count = draws
      draws = 0
      return count
    },
    clear(): void {
      for (const chart of made) chart.destroy()
      made = []
    },
  }
}
