import type { Settings } from '#shared/bridge/app'

/** Colours of one theme, named after their purpose and shared by naive-ui, charts and style sheets. */
export interface Palette {
  readonly ground: string
  readonly surface: string
  readonly raised: string
  /** Row or button under the pointer, on any of the three above. */
  readonly hover: string
  readonly line: string
  readonly edge: string
  readonly text: string
  readonly muted: string
  readonly accent: string
  readonly accentHover: string
  readonly onAccent: string
  readonly accentSoft: string
  readonly idle: string
  readonly idleSoft: string
  readonly danger: string
  readonly dangerSoft: string
  readonly onDanger: string
  readonly transition: string
  readonly running: string
  readonly shadow: string
}
export type ThemeName = 'dark' | 'light'

// From design.md; danger (dark) and accent, idle, transition and running (light) were changed to pass WCAG AA.
export const palettes: Readonly<Record<ThemeName, Palette>> = {
  dark: {
    ground: '#0e1116',
    surface: '#151a21',
    raised: '#1c232c',
    hover: '#1a2028',
    line: '#2a323d',
    edge: '#364150',
    text: '#e6eaf0',
    muted: '#93a0b0',
    accent: '#22b8a0',
    accentHover: '#35c9b1',
    onAccent: '#04211c',
    accentSoft: '#12302f',
    idle: '#e2a336',
    idleSoft: '#2b2417',
    danger: '#f2696d',
    dangerSoft: '#2f1c20',
    onDanger: '#2a0708',
    transition: '#5c97ff',
    running: '#2fb170',
    shadow: '0 12px 40px rgba(0, 0, 0, 0.5)',
  },
  light: {
    ground: '#f6f7f9',
    surface: '#ffffff',
    raised: '#ffffff',
    hover: '#f0f2f5',
    line: '#e3e7ec',
    edge: '#cdd4dc',
    text: '#171b21',
    muted: '#5c6775',
    accent: '#0a7465',
    accentHover: '#086156',
    onAccent: '#ffffff',
    accentSoft: '#dff0ed',
    idle: '#875706',
    idleSoft: '#fbf3e2',
    danger: '#b8272d',
    dangerSoft: '#fcebec',
    onDanger: '#ffffff',
    transition: '#1f5cc9',
    running: '#177445',
    shadow: '0 12px 32px rgba(23, 27, 33, 0.16)',
  },
}

/** Sizes in pixels. */
export const sizes = { small: 12, body: 13, large: 15, title: 20, display: 28, radius: 8, row: 36 } as const

export const fonts = {
  text: "'Inter Variable', 'Noto Sans', 'Noto Sans CJK SC', system-ui, sans-serif",
  mono: "'JetBrains Mono Variable', 'Noto Sans Mono', ui-monospace, monospace",
} as const

export const themeOf = (choice: Settings['theme'], systemIsDark: boolean): ThemeName =>
  choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns the custom properties that style sheets read. */
export const cssVariables = (theme: ThemeName): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(palettes[theme]).map(([name, value]) => [`--${kebab(name)}`, value])),
  '--font-text': fonts.text,
  '--font-mono': fonts.mono,
  '--small': `${sizes.small}px`,
  '--body': `${sizes.body}px`,
  '--large': `${sizes.large}px`,
  '--title': `${sizes.title}px`,
  '--display': `${sizes.display}px`,
  '--radius': `${sizes.radius}px`,
  '--row': `${sizes.row}px`,
})
