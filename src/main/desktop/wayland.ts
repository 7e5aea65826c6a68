import type { Clock } from '../core/clock'

/** Electron draws its windows through Wayland by itself since this version, where the session is one of Wayland's. */
const nativeSince = 38

/**
 * Whether the windows are Wayland's: there a window cannot know where it is or that it is minimized, and only the one
 * with the focus can write to the clipboard (docs/electron-runtime.md). `ozonePlatform`: the switch of that name, which
 * Electron sets itself where it was asked for a hint. Pure.
 */
export function usesWayland(
  platform: NodeJS.Platform,
  electronVersion: string,
  ozonePlatform: string,
  env: NodeJS.ProcessEnv,
): boolean {
  if (platform !== 'linux') return false
  if (ozonePlatform !== '') return ozonePlatform === 'wayland'
  const isNative = Number.parseInt(electronVersion, 10) >= nativeSince
  return isNative && env.XDG_SESSION_TYPE === 'wayland' && Boolean(env.WAYLAND_DISPLAY)
}

/** What is needed of a window to show it. */
export interface ShownWindow {
  once(event: 'ready-to-show' | 'closed', listener: () => void): unknown
  readonly webContents: { once(event: 'did-finish-load', listener: () => void): unknown }
  show(): void
}

/** Seconds after which a window is shown whatever it has drawn. */
const shownWithin = 3

/**
 * Shows a new window once: when it has something to show, and in any case after 3 s. Under Wayland a hidden window
 * draws nothing, so that `ready-to-show` may never come (electron#48859); there a page that is loaded is enough.
 */
export function showOnce(window: ShownWindow, isWayland: boolean, after: Clock['after']): void {
  let isShown = false
  const cancel = after(shownWithin, show)
  function show(): void {
    if (isShown) return
    isShown = true
    cancel()
    window.show()
  }
  window.once('ready-to-show', show)
  if (isWayland) window.webContents.once('did-finish-load', show)
  window.once('closed', () => {
    isShown = true
    cancel()
  })
}

/** What is needed of a window to bring it to the front. */
export interface FrontedWindow {
  isMinimized(): boolean
  isMaximized(): boolean
  restore(): void
  show(): void
  focus(): void
}

/**
 * Brings an open window to the front. Under Wayland it is unknown whether it is minimized, so it is restored in any case,
 * but for one that would lose its size by it. To hide and show it instead ends Chromium where it was minimized.
 */
export function bringToFront(window: FrontedWindow, isWayland: boolean): void {
  if (window.isMinimized() || (isWayland && !window.isMaximized())) window.restore()
  window.show()
  window.focus()
}
