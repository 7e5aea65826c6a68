import { eachSeries, type TimeRange } from '#shared/bridge/metrics'
import { thinner } from '#shared/metrics/thin'
import type { UnpackedView } from './metric-lines'

/** What the main process gave last: `range`, thinned to parts of `part` seconds. */
export interface HeldViews {
  readonly range: TimeRange
  readonly part: number
  readonly views: ReadonlyMap<string, UnpackedView>
}

/** How many times finer than the pixels a part of the time is asked for: the next steps of the zoom need no question. */
export const finer = 4
/** What the main process thins to at most. */
export const finest = 8_192

/** Whether `range` can be drawn in `width` pixels from what is held, as exactly as if it was asked for. Pure. */
export const covers = ({ range: held, part }: HeldViews, range: TimeRange, width: number): boolean =>
  held.from <= range.from && held.to >= range.to && part * width <= (range.to - range.from) * (1 + 1e-9)

/** The same for `range` in `width` pixels. Pure. */
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
