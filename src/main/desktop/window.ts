import { BrowserWindow, nativeTheme, screen } from 'electron'
import { z } from 'zod'
import { systemClock } from '../core/clock'
import { showOnce } from './wayland'

/** Where the window was, in the desktop's own pixels. */
const WindowBounds = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().default(1360),
  height: z.number().int().default(860),
  maximized: z.boolean().default(false),
})
type WindowBounds = z.infer<typeof WindowBounds>

/** What is kept of the window. `page`: of the last run; `staysSaid`: that closing it leaves the application running. */
export const WindowSettings = WindowBounds.extend({
  page: z.string().default(''),
  staysSaid: z.boolean().default(false),
})
export type WindowSettings = z.infer<typeof WindowSettings>

/** Of the section `app` of the settings what the window is drawn with before the modules read it. */
export const ThemeSetting = z
  .object({ theme: z.enum(['system', 'dark', 'light']).catch('system') })
  .catch({ theme: 'system' })

/** Crashes of the page within a minute after which it is not reopened automatically. */
const mostCrashes = 3

export interface WindowDeps {
  /** Where the person is: at first, and after a crash of the page. */
  url(): string
  readonly preload: string
  readonly icon: string
  readonly bounds: WindowBounds
  /** Under Wayland a window is put where the system wants it, and does not know where that is. */
  readonly isWayland: boolean
  keepBounds(bounds: WindowBounds): void
  /** The page crashes again and again; resolves to whether the person wants it opened once more. */
  keepsCrashing(window: BrowserWindow): Promise<boolean>
  /** The page went to another place, as its address says. */
  went(url: string): void
}

/** Size and position; without a position that no screen shows any more. */
function onScreen({ x, y, ...rest }: WindowBounds) {
  const visible =
    x !== undefined &&
    y !== undefined &&
    screen.getAllDisplays().some(({ workArea }) => {
      return (
        x >= workArea.x - 50 &&
        x < workArea.x + workArea.width - 50 &&
        y >= workArea.y - 50 &&
        y < workArea.y + workArea.height - 50
      )
    })
  return { width: rest.width, height: rest.height, ...(visible ? { x, y } : {}) }
}

/** Opens the application's window: isolated and sandboxed; what its page may do is up to restrictPages. */
export function openWindow({
  url,
  preload,
  icon,
  bounds,
  isWayland,
  keepBounds,
  keepsCrashing,
  went,
}: WindowDeps): BrowserWindow {
  const window = new BrowserWindow({
    ...onScreen(isWayland ? { ...bounds, x: undefined, y: undefined } : bounds),
    minWidth: 720,
    minHeight: 480,
    show: false,
    icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0e1116' : '#f6f7f9',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (bounds.maximized) window.maximize()
  showOnce(window, isWayland, systemClock.after)
  window.on('close', () => {
    const { x, y, ...size } = window.getNormalBounds()
    keepBounds({ ...size, ...(!isWayland && { x, y }), maximized: window.isMaximized() })
  })
  const contents = window.webContents
  contents.on('did-navigate-in-page', (_event, place) => went(place))
  const load = (): void => void window.loadURL(url())
  // The page holds nothing that the main process does not have: one that crashed is opened again where it was.
  const crashes: number[] = []
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = Date.now()
    const lately = crashes.filter((at) => now - at < 60_000)
    crashes.splice(0, crashes.length, ...lately, now)
    if (lately.length < mostCrashes) return load()
    // One that crashes whenever it loads would do so for ever.
    void keepsCrashing(window).then((again) => {
      if (again && !window.isDestroyed()) load()
    })
  })
  load()
  return window
}
