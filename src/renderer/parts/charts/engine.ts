import { BarChart, type BarSeriesOption, CustomChart, type CustomSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  type GridComponentOption,
  MarkLineComponent,
  type MarkLineComponentOption,
} from 'echarts/components'
import { type ComposeOption, type EChartsType, graphic, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// echarts in the parts that are used: a script of its own, which load-engine.ts brings after the first paint.
use([BarChart, CustomChart, GridComponent, MarkLineComponent, CanvasRenderer])

export type ChartOption = ComposeOption<
  BarSeriesOption | CustomSeriesOption | GridComponentOption | MarkLineComponentOption
>
export type { EChartsType as Chart }
export { graphic }

/** An empty chart that fills `element`. Whoever makes it disposes it. */
export const createChart = (element: HTMLElement): EChartsType => init(element, null, { renderer: 'canvas' })
