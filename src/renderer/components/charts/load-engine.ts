import type * as Engine from './engine'
import type { Chart, TimeLayer } from './engine'

let engine: Promise<typeof Engine> | undefined

/** Loads echarts for the first chart. After a failure the next chart retries. */
export function loadEngine(): Promise<typeof Engine> {
  engine ??= import('./engine').catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

const layers = new WeakMap<Chart, TimeLayer>()

/** Returns the time layer of a chart. Both outlive the component, because charts are reused (use-chart.ts). */
export function layerOf(chart: Chart, engine: typeof Engine): TimeLayer {
  const layer = layers.get(chart) ?? engine.createTimeLayer(chart)
  layers.set(chart, layer)
  return layer
}
