import type { BrowserWindow } from 'electron'
import type { Destination } from '#shared/bridge/app'
import { openWindow, type WindowDeps } from './window'

/** The one window: opened where there is none, else brought to the front. */
export function createMainWindow(parts: {
  settings(): WindowDeps
  /** Called as the window opens, and again once it is closed. */
  changed(open: boolean): void
  focused(): void
  /** Leads the page of the open window somewhere. */
  navigate(destination: Destination): void
}) {
  let window: BrowserWindow | undefined

  function open(destination: Destination | undefined): void {
    const opened = openWindow(parts.settings())
    window = opened
    opened.on('closed', () => {
      window = undefined
      parts.changed(false)
    })
    opened.on('focus', parts.focused)
    parts.changed(true)
    if (destination) opened.webContents.once('did-finish-load', () => parts.navigate(destination))
  }

  return {
    current: (): BrowserWindow | undefined => window,
    show(destination?: Destination): void {
      if (!window) return open(destination)
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (destination) parts.navigate(destination)
    },
  }
}
