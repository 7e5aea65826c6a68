import type { ISearchDecorationOptions } from '@xterm/addon-search'
import type { ITheme } from '@xterm/xterm'
import { palettes, type ThemeName } from '../../platform/theme'

/** The sixteen ANSI colours of each theme. xterm.js ensures their contrast. */
const ansi = {
  dark: {
    black: '#2a323d',
    red: '#f2696d',
    green: '#4fc98a',
    yellow: '#e2b54a',
    blue: '#6ea3ff',
    magenta: '#c792ea',
    cyan: '#4cc7d6',
    white: '#cfd6df',
    brightBlack: '#7b8797',
    brightRed: '#ff8f92',
    brightGreen: '#78dfa8',
    brightYellow: '#f3cf78',
    brightBlue: '#97bdff',
    brightMagenta: '#dcb3f5',
    brightCyan: '#80dde8',
    brightWhite: '#ffffff',
  },
  light: {
    black: '#171b21',
    red: '#b8272d',
    green: '#177445',
    yellow: '#875706',
    blue: '#1f5cc9',
    magenta: '#8b3fa8',
    cyan: '#0b6f7d',
    white: '#d5dae1',
    brightBlack: '#5c6775',
    brightRed: '#d0393f',
    brightGreen: '#1d8a53',
    brightYellow: '#a06a0a',
    brightBlue: '#3170e0',
    brightMagenta: '#a353c2',
    brightCyan: '#12869a',
    brightWhite: '#ffffff',
  },
} as const satisfies Record<ThemeName, ITheme>

export function terminalTheme(name: ThemeName): ITheme {
  const { ground, text, accent, line } = palettes[name]
  return {
    ...ansi[name],
    background: ground,
    foreground: text,
    cursor: accent,
    cursorAccent: ground,
    selectionBackground: `${accent}55`,
    overviewRulerBorder: line,
  }
}

export function matchColors(name: ThemeName): ISearchDecorationOptions {
  const { accent, idle } = palettes[name]
  return {
    matchBackground: name === 'dark' ? '#5a4510' : '#f6e3b4',
    matchOverviewRuler: idle,
    activeMatchBackground: name === 'dark' ? '#0a7465' : '#8fdccf',
    activeMatchBorder: accent,
    activeMatchColorOverviewRuler: accent,
  }
}
