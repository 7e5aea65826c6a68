import type { ChartOption } from './engine'
import type { ChartTheme } from './chart-theme'
import type { Margins } from './bar-option'
import { niceTicks, type Ticks } from './ticks'
import { tickWords, timeTicks } from './time-ticks'

/** One line: `times` in epoch seconds, ascending; a `NaN` among the values is a gap. */
export interface TimeLine {
  readonly name: string
  readonly times: Float64Array
  readonly values: Float64Array
  /** Else the theme's next one. */
  readonly color?: string | undefined
  readonly dashed?: boolean | undefined
}

/** A part of the time axis, epoch seconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The value axis: fixed ends where they are given. */
export interface ValueAxis {
  readonly low?: number | undefined
  readonly high?: number | undefined
}

export const lineColor = (theme: ChartTheme, line: TimeLine, index: number): string =>
  line.color ?? theme.series(index)

/** Round ticks around all that the lines show in `range`. */
export function valueTicks(lines: readonly TimeLine[], range: TimeRange, axis: ValueAxis): Ticks {
  let low = axis.low ?? Infinity
  let high = axis.high ?? -Infinity
  if (axis.low === undefined || axis.high === undefined) {
    for (const { times, values } of lines) {
      for (let at = 0; at < values.length; at += 1) {
        const time = times[at] ?? 0
        const value = values[at] ?? Number.NaN
        if (time < range.from || time > range.to) continue
        if (axis.low === undefined && value < low) low = value
        if (axis.high === undefined && value > high) high = value
      }
    }
  }
  if (!Number.isFinite(low)) low = Math.min(0, high)
  if (!Number.isFinite(low)) low = 0
  if (!Number.isFinite(high)) high = Math.max(low, 0)
  return niceTicks(low, high, 3)
}

/** The runs of a line between its gaps, as points in a box of pixels. */
export function runsOf(
  { times, values }: TimeLine,
  { from, to }: TimeRange,
  { min, max }: Ticks,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): readonly (readonly number[][])[] {
  const runs: number[][][] = []
  let run: number[][] = []
  const perSecond = box.width / (to - from)
  const perUnit = box.height / (max - min)
  const bottom = box.y + box.height
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? Number.NaN
    if (Number.isNaN(value)) {
      if (run.length > 0) runs.push(run)
      run = []
    } else {
      run.push([box.x + ((times[at] ?? 0) - from) * perSecond, bottom - (value - min) * perUnit])
    }
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** Pixels: half of the widest word under an axis. */
const halfWord = 28

/** Lines over time as echarts draws them: one custom element per line, since points as data are what costs. */
export function timeOption(
  lines: readonly TimeLine[],
  range: TimeRange,
  ticks: Ticks,
  theme: ChartTheme,
  parts: {
    readonly margins: Margins
    readonly width: number
    readonly format: (value: number) => string
    readonly showTimes: boolean
  },
): ChartOption {
  const { palette, base } = theme
  const { margins, width, format, showTimes } = parts
  const times = timeTicks(range.from, range.to, Math.floor((width - margins.left) / 88))
  // A word that would leave the picture on the right is left out.
  const last = range.to - (range.to - range.from) * (halfWord / Math.max(1, width - margins.left))
  const words = new Map(times.map((tick) => [tick.at, tick.at > last ? '' : tickWords(tick)]))
  const customValues = times.map(({ at }) => at)
  return {
    ...base,
    grid: [{ id: 'grid', ...margins, outerBoundsMode: 'none' }],
    xAxis: [
      {
        id: 'times',
        type: 'value',
        min: range.from,
        max: range.to,
        axisLine: { show: true, onZero: false, lineStyle: { color: palette.line } },
        axisTick: { show: true, customValues, lineStyle: { color: palette.line } },
        axisLabel: {
          show: showTimes,
          customValues,
          color: palette.muted,
          formatter: (value: number) => words.get(value) ?? '',
        },
        splitLine: { show: false },
      },
    ],
    yAxis: [
      {
        id: 'values',
        type: 'value',
        min: ticks.min,
        max: ticks.max,
        interval: ticks.step,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { color: palette.muted, formatter: format },
        splitLine: { lineStyle: { color: palette.line } },
      },
    ],
    series: lines.map((line, index) => ({
      id: `line-${String(index)}`,
      type: 'custom',
      name: line.name,
      silent: true,
      clip: true,
      data: [[range.from, ticks.min]],
      renderItem: (_params, api) => {
        const box = {
          x: margins.left,
          y: margins.top,
          width: api.getWidth() - margins.left - margins.right,
          height: api.getHeight() - margins.top - margins.bottom,
        }
        const color = lineColor(theme, line, index)
        return {
          type: 'group',
          children: runsOf(line, range, ticks, box).map((points) =>
            points.length === 1
              ? {
                  type: 'circle',
                  shape: { cx: points[0]?.[0] ?? 0, cy: points[0]?.[1] ?? 0, r: 2 },
                  style: { fill: color },
                }
              : {
                  type: 'polyline',
                  shape: { points: points.map((point) => [...point]) },
                  style: {
                    stroke: color,
                    lineWidth: 1.25,
                    lineJoin: 'round',
                    fill: 'none',
                    ...(line.dashed ? { lineDash: [4, 3] } : {}),
                  },
                },
          ),
        }
      },
    })),
  }
}
