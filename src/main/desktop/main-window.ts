import { BrowserWindow, Menu, nativeTheme, screen } from 'electron'
import { z } from 'zod'
import type { Destination } from '#shared/bridge/app'
import { createEmitter } from '#shared/emitter'
import { systemClock } from '../core/clock'
import { fieldMenu } from './field-menu'
import { bringToFront, showOnce } from './wayland'

/** Position and size of the window in desktop pixels. */
const WindowBounds = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().default(1360),
  height: z.number().int().default(860),
  maximized: z.boolean().default(false),
})
type WindowBounds = z.infer<typeof WindowBounds>

/** Stored state of the window. `page`: page of the last run; `staysSaid`: whether the user saw the tray notice. */
export const WindowSettings = WindowBounds.extend({
  page: z.string().default(''),
  staysSaid: z.boolean().default(false),
})
export type WindowSettings = z.infer<typeof WindowSettings>

/** Theme of the settings section `app`, read before the modules exist. */
export const ThemeSetting = z
  .object({ theme: z.enum(['system', 'dark', 'light']).catch('system') })
  .catch({ theme: 'system' })

/** Period in which crashes of the page are counted. */
const crashPeriodMs = 60_000
/** Crashes per period after which the page is not reloaded automatically. */
const maxReloads = 3

interface WindowDeps {
  url(): string
  readonly preload: string
  readonly icon: string
  readonly bounds: WindowBounds
  /** Under Wayland the system places windows, and a window does not know its position. */
  readonly isWayland: boolean
  keepBounds(bounds: WindowBounds): void
  confirmReload(window: BrowserWindow): Promise<boolean>
  navigated(url: string): void
}

/** Returns size and position, but no position outside all screens. */
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

/** Opens the application's window, isolated and sandboxed. `restrictPages` limits its page. */
function openWindow({
  url,
  preload,
  icon,
  bounds,
  isWayland,
  keepBounds,
  confirmReload,
  navigated,
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
  contents.on('context-menu', (_event, clicked) => {
    const items = fieldMenu(clicked)
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
  contents.on('did-navigate-in-page', (_event, place) => navigated(place))
  const load = (): void => void window.loadURL(url())
  // The page has no data of its own, so it is reloaded at its last place after a crash.
  const crashes: number[] = []
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = Date.now()
    const recent = crashes.filter((at) => now - at < crashPeriodMs)
    crashes.splice(0, crashes.length, ...recent, now)
    if (recent.length < maxReloads) return load()
    // A page that crashes on load would otherwise do so forever.
    void confirmReload(window).then((again) => {
      if (again && !window.isDestroyed()) load()
    })
  })
  load()
  return window
}

/** Manages the only window: opens it with the current settings, or brings it to the front. */
export function createMainWindow(windowSettings: () => Omit<WindowDeps, 'isWayland'>, isWayland: boolean) {
  const openChanges = createEmitter<boolean>()
  const navigation = createEmitter<Destination>()
  const focus = createEmitter<undefined>()
  const loaded = createEmitter<undefined>()
  let window: BrowserWindow | undefined
  let isLoaded = false
  /** Resolves when the last opened window becomes visible or closes. */
  let shown: Promise<void> = Promise.resolve()

  function open(destination: Destination | undefined): void {
    const newWindow = openWindow({ ...windowSettings(), isWayland })
    window = newWindow
    shown = new Promise<void>((resolve) => {
      newWindow.once('show', () => resolve())
      newWindow.once('closed', () => resolve())
    })
    newWindow.on('closed', () => {
      window = undefined
      isLoaded = false
      openChanges.emit(false)
    })
    newWindow.on('focus', () => focus.emit(undefined))
    newWindow.webContents.on('render-process-gone', () => (isLoaded = false))
    newWindow.webContents.on('did-finish-load', () => {
      isLoaded = true
      loaded.emit(undefined)
    })
    openChanges.emit(true)
    if (destination) newWindow.webContents.once('did-finish-load', () => navigation.emit(destination))
  }

  return {
    current: (): BrowserWindow | undefined => window,
    /** Waits until the window is visible: a dialog attached earlier may stay invisible. */
    async shown(): Promise<BrowserWindow | undefined> {
      await shown
      return window
    },
    show(destination?: Destination): void {
      if (!window) return open(destination)
      bringToFront(window, isWayland)
      if (destination) navigation.emit(destination)
    },
    async showMinimized(): Promise<void> {
      if (!window) open(undefined)
      await shown
      window?.minimize()
    },
    /** Emits true when the window opens and false when it has closed. */
    onOpenChange: openChanges.on,
    onFocus: focus.on,
    isLoaded: () => isLoaded,
    onLoaded: loaded.on,
    onNavigate: navigation.on,
  }
}
export type MainWindow = ReturnType<typeof createMainWindow>
