import { app, BrowserWindow, powerMonitor } from 'electron'
import type { ConfirmQuit } from '../app/host-environment'

/** Signals that end a session: logout without a desktop, a closed terminal, Ctrl+C. */
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Reacts to closed windows, quitting, the end of the session, and sleep. */
export function followAppLifecycle(host: {
  /** Whether the tray keeps the application reachable without a window. */
  staysInTray(): Promise<boolean>
  /** Asks whether to quit although nothing watches the user's limits and reminders then. */
  confirmUnwatched(): Promise<boolean>
  showMinimized(): void
  /** Stays in the tray after a start without a window. Returns whether this is such a start. */
  startHidden(): boolean
  stayed(): void
  wakeChanged(awake: boolean): void
  readonly confirmQuit: ConfirmQuit
  /** A copied secret leaves the clipboard before the application ends. */
  readonly secrets: { pending(): boolean; clear(): Promise<void> }
  /** Resolves when everything is closed and all data is on disk. */
  close(): Promise<void>
  /** Whether a call to the keychain still waits for the user. */
  keychainBusy(): boolean
}): void {
  const allClosed = async (): Promise<void> => {
    const stays = await host.staysInTray()
    // The window was opened again while the tray was queried.
    if (BrowserWindow.getAllWindows().length > 0) return
    if (stays) return host.stayed()
    if (await host.confirmUnwatched()) app.quit()
    else if (BrowserWindow.getAllWindows().length === 0) host.showMinimized()
  }
  app.on('window-all-closed', () => void allClosed())
  // The window may have been closed while the modules were built.
  if (BrowserWindow.getAllWindows().length === 0 && !host.startHidden()) void allClosed()
  // A separate task: Electron ignores app.quit() while it handles an event that was prevented.
  const quitAgain = (): void => void setTimeout(() => app.quit(), 0)
  // The system ends the session soon: unfinished work ends in order, without a question.
  const endSession = (): void => {
    host.confirmQuit.sessionEnds()
    app.quit()
  }
  powerMonitor.on('shutdown', (event?: Pick<Event, 'preventDefault'>) => {
    // Delays the shutdown until the process has ended.
    event?.preventDefault()
    endSession()
  })
  // Replaces Chromium's own handlers, which quit as if the user had asked.
  for (const signal of signals) process.on(signal, endSession)
  let clearing = false
  app.on('before-quit', (event) => {
    if (host.confirmQuit.pending()) {
      event.preventDefault()
      void host.confirmQuit.end(quitAgain)
      return
    }
    // Quitting continues even if another program holds the clipboard open.
    if (clearing || !host.secrets.pending()) return
    clearing = true
    event.preventDefault()
    void host.secrets.clear().finally(quitAgain)
  })
  let closing: Promise<void> | undefined
  let isClosed = false
  app.on('will-quit', (event) => {
    if (isClosed) return
    // The process ends after everything is on disk, the window's position included. Further quits, such as a second
    // signal, change nothing.
    event.preventDefault()
    closing ??= host.close().finally(() => {
      isClosed = true
      quitAgain()
    })
  })
  // A keychain call blocks a thread while the system asks for its password, and Node waits for its threads on exit. The
  // user would have to answer a question of an application that is gone.
  app.on('quit', () => {
    if (host.keychainBusy()) process.kill(process.pid, 'SIGKILL')
  })
  powerMonitor.on('suspend', () => host.wakeChanged(false))
  powerMonitor.on('resume', () => host.wakeChanged(true))
}
