import type { ChartTheme } from './chart-theme'
import { niceTicks, type Ticks } from './ticks'

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

/** Lines on one value axis; several panels stand on one time axis. */
export interface TimePanel {
  /** Names it among the panels. */
  readonly key: string
  readonly label: string
  readonly lines: readonly TimeLine[]
  /** A value as text, with its unit. */
  readonly format: (value: number) => string
  /** A value as text at the axis. */
  readonly axisFormat: (value: number) => string
  /** Seconds between two points, where that is known. */
  readonly step?: number | undefined
  /** Fixed ends of the value axis. */
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/**
 * Where the panels and the part of the time that they show come from. Functions, so that a step of the zoom renders
 * no component: what depends on them is drawn, or watches them.
 */
export interface TimeSource {
  readonly panels: () => readonly TimePanel[]
  readonly range: () => TimeRange
}

/** A place in the drawing, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const lineColor = (theme: ChartTheme, line: TimeLine, index: number): string =>
  line.color ?? theme.series(index)

export const isEmptyLine = ({ values }: TimeLine): boolean => values.every(Number.isNaN)

/** Round ticks around all that the panel's lines show in `range`. */
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

/** The points of a line in its box, x after y, NaN where it is interrupted. */
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
