import type { ChartOption } from './engine'
import type { ChartTheme } from './chart-theme'
import { niceTicks, tickValues, type Ticks } from './ticks'

/** One colour of the bars: a value per category, null if it is unknown. */
export interface BarSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** Absent: the theme's next colour. */
  readonly color?: string | undefined
  /** Drawn lightly, for estimates. */
  readonly faint?: boolean | undefined
}

/** A level across all bars, such as a budget. */
export interface BarMark {
  readonly name: string
  readonly value: number
  readonly color?: string | undefined
}

export interface BarChartData {
  /** Labels of the bars; echarts hides labels that overlap. */
  readonly categories: readonly string[]
  readonly series: readonly BarSeries[]
  readonly marks: readonly BarMark[]
  readonly whole: boolean
}

/** Pixels around the bars; `left` is the width of the axis. */
export interface Margins {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Returns the value axis of stacked bars, which includes zero, the highest stack and every mark. */
function barTicks({ categories, series, marks, whole }: BarChartData): Ticks {
  const stacks = categories.flatMap((_, at) => {
    const values = series.map(({ values }) => values[at] ?? 0)
    const sumOf = (sign: 1 | -1) => values.reduce((sum, value) => (value * sign > 0 ? sum + value : sum), 0)
    return [sumOf(1), sumOf(-1)]
  })
  const levels = [0, ...stacks, ...marks.map(({ value }) => value)]
  return niceTicks(
    levels.reduce((low, value) => Math.min(low, value), 0),
    levels.reduce((high, value) => Math.max(high, value), 0),
    4,
    whole,
  )
}

export const barColor = (theme: ChartTheme, series: BarSeries, index: number): string =>
  series.color ?? theme.series(index)

export function barOption(
  data: BarChartData,
  theme: ChartTheme,
  margins: Margins,
  format: (value: number) => string,
): ChartOption {
  const { palette, base } = theme
  const ticks = barTicks(data)
  const last = data.series.length - 1
  return {
    ...base,
    grid: [{ id: 'grid', ...margins, outerBoundsMode: 'none' }],
    xAxis: [
      {
        id: 'categories',
        type: 'category',
        data: [...data.categories],
        axisLine: { lineStyle: { color: palette.line } },
        axisTick: { show: false },
        axisLabel: { color: palette.muted, hideOverlap: true, margin: 10 },
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
    series: data.series.map((series, index) => {
      const color = barColor(theme, series, index)
      return {
        id: `series-${String(index)}`,
        type: 'bar',
        name: series.name,
        stack: 'all',
        barMaxWidth: 40,
        barCategoryGap: '25%',
        silent: true,
        data: series.values.map((value) => value ?? '-'),
        // Both branches set `opacity` and `borderWidth`: echarts merges a new option into the one before.
        itemStyle: series.faint
          ? { color, opacity: 0.45, borderColor: color, borderWidth: 1, borderType: 'dashed' }
          : { color, opacity: 1, borderWidth: 0 },
        ...(index === last && data.marks.length > 0
          ? {
              markLine: {
                silent: true,
                symbol: 'none',
                data: data.marks.map((mark) => ({
                  name: mark.name,
                  yAxis: mark.value,
                  lineStyle: { color: mark.color ?? palette.text, type: 'dashed', width: 1 },
                  label: { show: false },
                })),
              },
            }
          : {}),
      }
    }),
  }
}

export const barLabels = (data: BarChartData, format: (value: number) => string): readonly string[] =>
  tickValues(barTicks(data)).map(format)
