import type { ChartTheme } from './chart-theme'
import { niceTicks, type Ticks } from './ticks'

/** One line: `times` in epoch seconds, ascending; a `NaN` value is a gap. */
export interface TimeLine {
  readonly name: string
  readonly times: Float64Array
  readonly values: Float64Array
  /** Absent: the theme's next colour. */
  readonly color?: string | undefined
  readonly dashed?: boolean | undefined
}

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Lines on one value axis; the panels of a chart share the time axis. */
export interface TimePanel {
  readonly key: string
  readonly label: string
  readonly lines: readonly TimeLine[]
  readonly format: (value: number) => string
  readonly axisFormat: (value: number) => string
  readonly step?: number | undefined
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/** The panels and their range. Functions, so that a step of the zoom redraws the canvas and renders no component. */
export interface TimeSource {
  readonly panels: () => readonly TimePanel[]
  readonly range: () => TimeRange
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const lineColor = (theme: ChartTheme, line: TimeLine, index: number): string =>
  line.color ?? theme.series(index)

export const isEmptyLine = ({ values }: TimeLine): boolean => values.every(Number.isNaN)

/** Returns the value axis that fits the panel's lines in a range. */
export function valueTicks(panel: Pick<TimePanel, 'lines' | 'low' | 'high'>, { from, to }: TimeRange): Ticks {
  let low = panel.low ?? Infinity
  let high = panel.high ?? -Infinity
  for (const { times, values } of panel.lines) {
    for (let at = 0; at < values.length; at += 1) {
      const time = times[at] ?? 0
      const value = values[at] ?? Number.NaN
      if (time < from || time > to) continue
      if (panel.low === undefined && value < low) low = value
      if (panel.high === undefined && value > high) high = value
    }
  }
  if (!Number.isFinite(low)) low = Number.isFinite(high) ? Math.min(0, high) : 0
  if (!Number.isFinite(high)) high = Math.max(low, 0)
  return niceTicks(low, high, 3)
}

/** Returns the flat points of a line in its box (x, y, x, y, …); y is NaN in a gap. */
export function linePoints(line: TimeLine, range: TimeRange, ticks: Ticks, box: Box): Float64Array {
  const { times, values } = line
  const perSecond = box.width / (range.to - range.from)
  const perUnit = box.height / (ticks.max - ticks.min)
  const left = box.x - range.from * perSecond
  const bottom = box.y + box.height + ticks.min * perUnit
  const points = new Float64Array(2 * values.length)
  for (let at = 0; at < values.length; at += 1) {
    points[2 * at] = left + (times[at] ?? 0) * perSecond
    points[2 * at + 1] = bottom - (values[at] ?? Number.NaN) * perUnit
  }
  return points
}
