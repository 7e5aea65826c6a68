import { computed, type ComputedRef } from 'vue'
import { fonts, type Palette, palettes, sizes, type ThemeName } from '../../platform/theme'
import { useApp } from '../../stores/app'

/**
 * Colours of series in their order. They differ for colour-blind users too, and have a contrast of 3:1 against the
 * ground (WCAG 2.2, 1.4.11; chart-theme.test.ts).
 */
export const seriesColors: Readonly<Record<ThemeName, readonly [string, ...string[]]>> = {
  dark: ['#22b8a0', '#5c97ff', '#e2a336', '#c48cf2', '#f2808e', '#7fd1f5', '#a9c458', '#d19b74'],
  light: ['#0a7465', '#1f5cc9', '#a86f0c', '#7b3fc4', '#c2304a', '#0f7ea3', '#587311', '#8f4d24'],
}

export interface ChartTheme {
  readonly palette: Palette
  /** Returns the colour of the series at `index`; colours repeat after the last one. */
  series(index: number): string
  /** Options of every chart. Charts are not animated: animation adds no information. */
  readonly base: {
    readonly animation: false
    readonly textStyle: { readonly fontFamily: string; readonly fontSize: number; readonly color: string }
  }
}

export function chartThemeOf(theme: ThemeName): ChartTheme {
  const palette = palettes[theme]
  const colors = seriesColors[theme]
  return {
    palette,
    series: (index) => colors[index % colors.length] ?? colors[0],
    base: {
      animation: false,
      textStyle: { fontFamily: fonts.text, fontSize: sizes.small, color: palette.muted },
    },
  }
}

export function useChartTheme(): ComputedRef<ChartTheme> {
  const app = useApp()
  return computed(() => chartThemeOf(app.theme))
}
