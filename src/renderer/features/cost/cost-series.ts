import type { CostDays, CostSeries, CostShare } from '#shared/bridge/cost'
import type { BarSeries } from '../../components/charts/bar-option'

const unit = 1_000_000

/** What the parts of a stack are called. */
export interface ShareText {
  share(share: CostShare): string
  readonly charged: string
  readonly estimated: string
  readonly ahead: string
  readonly forecast: string
}

/** What was spent and what may be, distinguished by colour and by its strength. */
export interface BarColors {
  readonly spent: string
  readonly forecast: string
}

/** Seconds of each bucket that are still to come, at `now`. */
function comingSeconds({ starts, end }: CostDays, now: number): readonly number[] {
  return Array.from(starts, (start, index) => Math.max(0, (starts[index + 1] ?? end) - Math.max(start, now)))
}

const inUnits = (amounts: Float64Array): readonly number[] =>
  Array.from(amounts, (millionths) => millionths / unit)
/** A bar of no height has no edge either. */
const withoutNone = (values: readonly number[]): readonly (number | null)[] =>
  values.map((value) => (value === 0 ? null : value))
const hasAny = (values: readonly number[]): boolean => values.some((value) => value !== 0)

/** One series as what was charged and what is estimated of it. */
function inTwo(series: CostSeries, words: ShareText, colors: BarColors): readonly BarSeries[] {
  const estimated = inUnits(series.estimated)
  const ahead = inUnits(series.ahead)
  return [
    { name: words.charged, values: inUnits(series.charged), color: colors.spent },
    ...(hasAny(estimated)
      ? [{ name: words.estimated, values: withoutNone(estimated), faint: true, color: colors.spent }]
      : []),
    ...(hasAny(ahead) ? [{ name: words.ahead, values: ahead }] : []),
  ]
}

/** Resources of one name get a number, so that a legend distinguishes them. */
function named(series: readonly BarSeries[]): readonly BarSeries[] {
  const times = new Map<string, number>()
  return series.map((one) => {
    const count = (times.get(one.name) ?? 0) + 1
    times.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${String(count)})` }
  })
}

/**
 * The bars of one currency, in units of it. `perHour`: what is left of the period is drawn too, as it would cost at that
 * rate (millionths); null: it is not.
 */
export function costBars(
  days: CostDays,
  currency: string,
  words: ShareText,
  now: number,
  perHour: number | null,
  colors: BarColors,
): readonly BarSeries[] {
  const all = days.currencies.filter((one) => one.currency === currency).flatMap(({ series }) => series)
  const [first] = all
  const isTotal = all.length === 1 && first?.share.kind === 'total'
  const shown =
    isTotal && first
      ? inTwo(first, words, colors)
      : named(
          all.map((series) => ({
            name: words.share(series.share),
            values: Array.from(
              series.charged,
              (charged, at) => (charged + (series.estimated[at] ?? 0)) / unit,
            ),
          })),
        )
  if (perHour === null || perHour === 0) return shown
  // What is charged ahead has a bar of its own in the total, and none where the spending is split.
  const ahead = isTotal && first ? inUnits(first.ahead) : []
  const coming = comingSeconds(days, now).map((seconds, at) =>
    Math.max(0, ((seconds / 3600) * perHour) / unit - (ahead[at] ?? 0)),
  )
  return hasAny(coming)
    ? [...shown, { name: words.forecast, values: withoutNone(coming), faint: true, color: colors.forecast }]
    : shown
}
