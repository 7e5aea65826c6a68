import type * as Engine from './engine'
import type { Chart, ChartOption, TimeLayer } from './engine'

/** What a chart over time has drawn: its layer, and the frame that was set last, in words. */
interface Drawing {
  readonly layer: TimeLayer
  frame: string
}
const drawings = new WeakMap<Chart, Drawing>()

/** The drawing of a chart, which outlives the component that shows it. */
export function drawingOf(chart: Chart, engine: typeof Engine): Drawing {
  const drawing = drawings.get(chart) ?? { layer: engine.createTimeLayer(chart), frame: '' }
  drawings.set(chart, drawing)
  return drawing
}

/** Draws what the layer was told, and the frame around it where that is another one than before. */
export function flush(chart: Chart, drawing: Drawing, frame: string, option: () => ChartOption): void {
  if (drawing.frame === frame) chart.getZr().flush()
  else {
    drawing.frame = frame
    chart.setOption(option(), { replaceMerge: ['grid', 'xAxis', 'yAxis'] })
  }
}
