import { fonts } from '../../platform/theme'

/** Returns the font family of terminals: the user's font, with the application's font as a fallback. */
export const terminalFonts = (own = ''): string => (own === '' ? fonts.mono : `"${own}", ${fonts.mono}`)

/** Returns whether a font is installed: its letters then differ in width from at least one fallback font. */
export function isInstalled(font: string): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return true
  const width = (family: string): number => {
    context.font = `72px ${family}`
    return context.measureText('mmmiiiWWW1lO0').width
  }
  return ['monospace', 'serif'].some((fallback) => width(`"${font}", ${fallback}`) !== width(fallback))
}
