import { BarChart, type BarSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  type GridComponentOption,
  MarkLineComponent,
  type MarkLineComponentOption,
} from 'echarts/components'
import { type ComposeOption, type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { createTimeLayer } from './time-layer'

// The parts of echarts that are used, in a separate chunk that load-engine.ts loads after the first paint.
use([BarChart, GridComponent, MarkLineComponent, CanvasRenderer])

export type ChartOption = ComposeOption<BarSeriesOption | GridComponentOption | MarkLineComponentOption>
export type { EChartsType as Chart }
export type { TimeLayer } from './time-layer'
export { createTimeLayer }

/** Creates an empty chart that fills `element`. The caller disposes it. */
export const createChart = (element: HTMLElement): EChartsType => init(element, null, { renderer: 'canvas' })
