import { describe, expect, it } from 'vitest'
import { contrast } from './contrast'
import { cssVariables, palettes, themeOf, type Palette, type ThemeName } from './theme'

const themes: readonly ThemeName[] = ['dark', 'light']
const grounds = [
  'ground',
  'surface',
  'raised',
  'hover',
  'accentSoft',
] as const satisfies readonly (keyof Palette)[]
const written = ['text', 'muted', 'accent', 'idle', 'danger', 'transition', 'running'] as const

describe.each(themes)('the %s theme', (theme) => {
  const palette = palettes[theme]

  it.each(written)('shows %s with enough contrast on every ground (WCAG AA, 4.5 to 1)', (name) => {
    const ratios = grounds.map((ground) => contrast(palette[name], palette[ground]))
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5)
  })

  it('shows text on buttons and banners with enough contrast', () => {
    expect(contrast(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.onAccent, palette.accentHover)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.onDanger, palette.danger)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.text, palette.idleSoft)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.idle, palette.idleSoft)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.danger, palette.dangerSoft)).toBeGreaterThanOrEqual(4.5)
  })

  it('defines a CSS variable for each colour', () => {
    expect(cssVariables(theme)).toMatchObject({
      '--ground': palette.ground,
      '--accent-soft': palette.accentSoft,
    })
  })
})

describe('contrast', () => {
  it('is 21 between black and white, and 1 between equal colours', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrast('#22b8a0', '#22b8a0')).toBeCloseTo(1)
  })
})

describe('themeOf', () => {
  it('follows the system unless the user chose a theme', () => {
    expect(themeOf('system', true)).toBe('dark')
    expect(themeOf('system', false)).toBe('light')
    expect(themeOf('light', true)).toBe('light')
  })
})
