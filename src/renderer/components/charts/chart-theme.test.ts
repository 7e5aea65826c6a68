import { describe, expect, it, vi } from 'vitest'
import { contrast } from '../../platform/contrast'
import { palettes, type ThemeName } from '../../platform/theme'

vi.stubGlobal('window', { wheelhouse: {} })
const { chartThemeOf, seriesColors } = await import('./chart-theme')

const themes: readonly ThemeName[] = ['dark', 'light']

describe.each(themes)('charts in the %s theme', (theme) => {
  it.each(seriesColors[theme].map((color) => [color]))(
    'show %s with enough contrast on every ground',
    (color) => {
      const { ground, surface, raised } = palettes[theme]
      for (const under of [ground, surface, raised]) expect(contrast(color, under)).toBeGreaterThanOrEqual(3)
    },
  )

  it('use each colour once before colours repeat', () => {
    const { series } = chartThemeOf(theme)
    const count = seriesColors[theme].length
    expect(new Set(Array.from({ length: count }, (_, index) => series(index))).size).toBe(count)
    expect(series(count)).toBe(series(0))
  })
})
