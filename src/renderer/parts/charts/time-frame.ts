import type { ChartOption } from './engine'
import type { ChartTheme } from './chart-theme'
import type { TimePanel } from './time-line'
import type { TimeLayout } from './time-layout'

/** What stands around the lines of panels and does not move with the time: grids and value axes. */
export function timeFrame(
  panels: readonly TimePanel[],
  layout: TimeLayout,
  { palette, base }: ChartTheme,
): ChartOption {
  const { boxes, ticks, height, width } = layout
  return {
    ...base,
    grid: boxes.map((box, index) => ({
      id: `grid-${String(index)}`,
      left: box.x,
      top: box.y,
      right: width - box.x - box.width,
      bottom: height - box.y - box.height,
      outerBoundsMode: 'none',
    })),
    xAxis: boxes.map((_, index) => ({
      id: `times-${String(index)}`,
      gridIndex: index,
      type: 'value',
      min: 0,
      max: 1,
      axisLine: { show: true, onZero: false, lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: { show: false },
      splitLine: { show: false },
    })),
    yAxis: panels.map((panel, index) => {
      const { min, max, step } = ticks[index] ?? { min: 0, max: 1, step: 1 }
      return {
        id: `values-${String(index)}`,
        gridIndex: index,
        type: 'value',
        min,
        max,
        interval: step,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { color: palette.muted, formatter: (value: number) => panel.axisFormat(value) },
        splitLine: { lineStyle: { color: palette.line } },
      }
    }),
  }
}
