import { eachSeries, type TimeRange } from '#shared/bridge/metrics'
import { thinner } from '#shared/metrics/thin'
import type { UnpackedView } from './metric-lines'

export interface HeldViews {
  readonly range: TimeRange
  /** Resolution in seconds. */
  readonly part: number
  readonly views: ReadonlyMap<string, UnpackedView>
}

/** Requested points per pixel of a zoomed range, so that the next zoom steps need no request. */
export const zoomDetail = 4
/** Maximum number of points that the main process returns. */
export const maxPoints = 8_192

/** Returns whether the held views can draw `range` in `width` pixels at full resolution. */
export const covers = ({ range: held, part }: HeldViews, range: TimeRange, width: number): boolean =>
  held.from <= range.from && held.to >= range.to && part * width <= (range.to - range.from) * (1 + 1e-9)

/** Thins the held views to `range` in `width` pixels. */
export function thinned(
  { views }: HeldViews,
  range: TimeRange,
  width: number,
): ReadonlyMap<string, UnpackedView> {
  return new Map(
    [...views].map(([machine, view]) => {
      const thin = thinner(range, width)
      const series = eachSeries((key) => thin(view.series[key]))
      return [machine, { ...view, series }]
    }),
  )
}
