import type { CostDays, CostSeries, CostShare } from '#shared/bridge/cost'
import type { BarSeries } from '../../components/charts/bar-option'

const unit = 1_000_000

export interface ShareText {
  share(share: CostShare): string
  readonly charged: string
  readonly estimated: string
  readonly ahead: string
  readonly forecast: string
}

export interface BarColors {
  readonly spent: string
  readonly forecast: string
}

/** Returns the seconds of each bucket that lie after `now`. */
function comingSeconds({ starts, end }: CostDays, now: number): readonly number[] {
  return Array.from(starts, (start, index) => Math.max(0, (starts[index + 1] ?? end) - Math.max(start, now)))
}

const inUnits = (amounts: Float64Array): readonly number[] =>
  Array.from(amounts, (millionths) => millionths / unit)
/** Replaces 0 by null, which draws no edge. */
const zeroToNull = (values: readonly number[]): readonly (number | null)[] =>
  values.map((value) => (value === 0 ? null : value))
const hasAny = (values: readonly number[]): boolean => values.some((value) => value !== 0)

/** Splits the total into charged, estimated and prepaid amounts. */
function splitTotal(series: CostSeries, names: ShareText, colors: BarColors): readonly BarSeries[] {
  const estimated = inUnits(series.estimated)
  const ahead = inUnits(series.ahead)
  return [
    { name: names.charged, values: inUnits(series.charged), color: colors.spent },
    ...(hasAny(estimated)
      ? [{ name: names.estimated, values: zeroToNull(estimated), faint: true, color: colors.spent }]
      : []),
    ...(hasAny(ahead) ? [{ name: names.ahead, values: ahead }] : []),
  ]
}

/** Numbers series with the same name, so that the legend distinguishes them. */
function withUniqueNames(all: readonly BarSeries[]): readonly BarSeries[] {
  const counts = new Map<string, number>()
  return all.map((series) => {
    const count = (counts.get(series.name) ?? 0) + 1
    counts.set(series.name, count)
    return count === 1 ? series : { ...series, name: `${series.name} (${String(count)})` }
  })
}

/** Returns the bars of one currency, in its units. `perHour` (millionths) adds a forecast for the period's rest. */
export function costBars(
  days: CostDays,
  currency: string,
  names: ShareText,
  now: number,
  perHour: number | null,
  colors: BarColors,
): readonly BarSeries[] {
  const all = days.currencies.filter((part) => part.currency === currency).flatMap(({ series }) => series)
  const [first] = all
  const isTotal = all.length === 1 && first?.share.kind === 'total'
  const bars =
    isTotal && first
      ? splitTotal(first, names, colors)
      : withUniqueNames(
          all.map((series) => ({
            name: names.share(series.share),
            values: Array.from(
              series.charged,
              (charged, at) => (charged + (series.estimated[at] ?? 0)) / unit,
            ),
          })),
        )
  if (perHour === null || perHour === 0) return bars
  // Only the total has a separate bar for prepaid amounts.
  const ahead = isTotal && first ? inUnits(first.ahead) : []
  const coming = comingSeconds(days, now).map((seconds, at) =>
    Math.max(0, ((seconds / 3600) * perHour) / unit - (ahead[at] ?? 0)),
  )
  return hasAny(coming)
    ? [...bars, { name: names.forecast, values: zeroToNull(coming), faint: true, color: colors.forecast }]
    : bars
}
