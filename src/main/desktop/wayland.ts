import type { Clock } from '../core/clock'

/** First version of Electron that draws natively in a Wayland session. */
const firstNativeVersion = 38

/**
 * Whether windows use Wayland. There a window knows neither its position nor whether it is minimized, and only the
 * focused window can write to the clipboard (docs/electron-runtime.md). `ozonePlatform`: value of the switch, which
 * Electron also sets itself when given a hint. Pure.
 */
export function usesWayland(
  platform: NodeJS.Platform,
  electronVersion: string,
  ozonePlatform: string,
  env: NodeJS.ProcessEnv,
): boolean {
  if (platform !== 'linux') return false
  if (ozonePlatform !== '') return ozonePlatform === 'wayland'
  const isNative = Number.parseInt(electronVersion, 10) >= firstNativeVersion
  return isNative && env.XDG_SESSION_TYPE === 'wayland' && Boolean(env.WAYLAND_DISPLAY)
}

export interface ShownWindow {
  once(event: 'ready-to-show' | 'closed', listener: () => void): unknown
  readonly webContents: { once(event: 'did-finish-load', listener: () => void): unknown }
  show(): void
}

/** Time after which an empty window is shown too. */
const showTimeoutSeconds = 3

/**
 * Shows a new window once it has content, or after 3 s. A hidden window draws nothing under Wayland, so `ready-to-show`
 * may never come (electron#48859); there a loaded page is enough.
 */
export function showOnce(window: ShownWindow, isWayland: boolean, after: Clock['after']): void {
  let isShown = false
  const cancel = after(showTimeoutSeconds, show)
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

export interface FrontedWindow {
  isMinimized(): boolean
  isMaximized(): boolean
  restore(): void
  show(): void
  focus(): void
}

/**
 * Brings an open window to the front. Under Wayland its minimized state is unknown, so it is always restored, except
 * when maximized, since restoring would lose its size. Hiding and showing a minimized window instead crashes Chromium.
 */
export function bringToFront(window: FrontedWindow, isWayland: boolean): void {
  if (window.isMinimized() || (isWayland && !window.isMaximized())) window.restore()
  window.show()
  window.focus()
}
