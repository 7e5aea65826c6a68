import type { BrowserWindow } from 'electron'
import type { Destination } from '#shared/bridge/app'
import { createEmitter } from '#shared/emitter'
import { bringToFront } from './wayland'
import { openWindow, type WindowDeps } from './window'

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
