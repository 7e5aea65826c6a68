import { computed, type ComputedRef } from 'vue'
import { fonts, type Palette, palettes, sizes, type ThemeName } from '../../platform/theme'
import { useApp } from '../../stores/app'

/**
 * Colours of series in their order: apart from each other for eyes that see fewer colours too, and 3 to 1 against
 * what charts stand on (WCAG 2.2, 1.4.11; chart-theme.test.ts).
 */
export const seriesColors: Readonly<Record<ThemeName, readonly [string, ...string[]]>> = {
  dark: ['#22b8a0', '#5c97ff', '#e2a336', '#c48cf2', '#f2808e', '#7fd1f5', '#a9c458', '#d19b74'],
  light: ['#0a7465', '#1f5cc9', '#a86f0c', '#7b3fc4', '#c2304a', '#0f7ea3', '#587311', '#8f4d24'],
}

export interface ChartTheme {
  readonly palette: Palette
  /** The colour of the series at `index`, beginning again where there are more series than colours. */
  series(index: number): string
  /** What every chart shares. No chart moves by itself: a picture that grows says nothing that it does not say at rest. */
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

/** The window's theme as charts need it, live. */
export function useChartTheme(): ComputedRef<ChartTheme> {
  const app = useApp()
  return computed(() => chartThemeOf(app.theme))
}
