import { fonts } from '../../platform/theme'

/** The fonts of a terminal's letters: the person's own where the computer has it, and ours behind it. */
export const terminalFonts = (own = ''): string => (own === '' ? fonts.mono : `"${own}", ${fonts.mono}`)

/** Whether the computer has a font of this name: letters are then wider or narrower than those of at least one other. */
export function isInstalled(font: string): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return true
  const width = (family: string): number => {
    context.font = `72px ${family}`
    return context.measureText('mmmiiiWWW1lO0').width
  }
  return ['monospace', 'serif'].some((other) => width(`"${font}", ${other}`) !== width(other))
}
