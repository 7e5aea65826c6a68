import type { BrowserWindow } from 'electron'
import type { Destination } from '#shared/bridge/app'
import { createEmitter } from '#shared/emitter'
import { bringToFront } from './wayland'
import { openWindow, type WindowDeps } from './window'

/** The one window: opened, with settings as they are then, where there is none, else brought to the front. */
export function createMainWindow(windowSettings: () => Omit<WindowDeps, 'isWayland'>, isWayland: boolean) {
  const openChanges = createEmitter<boolean>()
  const navigation = createEmitter<Destination>()
  const focus = createEmitter<undefined>()
  const loaded = createEmitter<undefined>()
  let window: BrowserWindow | undefined
  let isLoaded = false
  /** Settles once the window that was opened last has been shown, or is closed. */
  let shown: Promise<void> = Promise.resolve()

  function open(destination: Destination | undefined): void {
    const opened = openWindow({ ...windowSettings(), isWayland })
    window = opened
    shown = new Promise<void>((resolve) => {
      opened.once('show', () => resolve())
      opened.once('closed', () => resolve())
    })
    opened.on('closed', () => {
      window = undefined
      isLoaded = false
      openChanges.emit(false)
    })
    opened.on('focus', () => focus.emit(undefined))
    opened.webContents.on('render-process-gone', () => (isLoaded = false))
    opened.webContents.on('did-finish-load', () => {
      isLoaded = true
      loaded.emit(undefined)
    })
    openChanges.emit(true)
    if (destination) opened.webContents.once('did-finish-load', () => navigation.emit(destination))
  }

  return {
    current: (): BrowserWindow | undefined => window,
    /** The open window, once it has been shown: what is attached to one before that may not be seen. */
    async shown(): Promise<BrowserWindow | undefined> {
      await shown
      return window
    },
    show(destination?: Destination): void {
      if (!window) return open(destination)
      bringToFront(window, isWayland)
      if (destination) navigation.emit(destination)
    },
    /** Called as the window opens, and again once it is closed. */
    onOpenChange: openChanges.on,
    onFocus: focus.on,
    isLoaded: () => isLoaded,
    /** Its page is there and follows events. */
    onLoaded: loaded.on,
    /** Where the page of the open window is to be led. */
    onNavigate: navigation.on,
  }
}
export type MainWindow = ReturnType<typeof createMainWindow>
