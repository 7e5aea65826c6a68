import type * as Engine from './engine'
import type { Chart, TimeLayer } from './engine'

let engine: Promise<typeof Engine> | undefined

/** echarts, loaded when the first chart is shown. A load that failed is tried again by the next chart. */
export function loadEngine(): Promise<typeof Engine> {
  engine ??= import('./engine').catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

const layers = new WeakMap<Chart, TimeLayer>()

/** What draws into a chart over time; like the chart, it outlives the component that shows it. */
export function layerOf(chart: Chart, engine: typeof Engine): TimeLayer {
  const layer = layers.get(chart) ?? engine.createTimeLayer(chart)
  layers.set(chart, layer)
  return layer
}
