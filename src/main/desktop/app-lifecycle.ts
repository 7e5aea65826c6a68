import { app, BrowserWindow, powerMonitor } from 'electron'
import type { ConfirmQuit } from '../app/host-environment'

/** How a session ends where no desktop says so first, a terminal is closed, and Ctrl+C. */
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Follows the application from here to its end: its windows, the sleep of the computer, and quitting. */
export function followAppLifecycle(host: {
  /** Whether the application can be reached in the tray now that its window is closed. */
  staysInTray(): Promise<boolean>
  /** The window was closed, and the application keeps running. */
  stayed(): void
  wakeChanged(awake: boolean): void
  /** Asks before it ends what the person began and is not done. */
  readonly confirmQuit: ConfirmQuit
  /** A secret that is still on the clipboard is taken back before anything ends. */
  readonly secrets: { pending(): boolean; clear(): Promise<void> }
  /** Settles once everything is closed and what was to be kept is on disk. */
  close(): Promise<void>
  /** Whether a call to the keychain still waits for the person. */
  keychainBusy(): boolean
}): void {
  const allClosed = async (): Promise<void> => {
    const stays = await host.staysInTray()
    // Opened again while the tray was asked.
    if (BrowserWindow.getAllWindows().length > 0) return
    if (stays) host.stayed()
    else app.quit()
  }
  app.on('window-all-closed', () => void allClosed())
  // Closed while the modules were built.
  if (BrowserWindow.getAllWindows().length === 0) void allClosed()
  // In a turn of its own: while the event that was prevented is still being handled, Electron ignores app.quit().
  const quitAgain = (): void => void setTimeout(() => app.quit(), 0)
  // A session that ends does not wait: what is under way is ended in order, while the system still allows it.
  const endSession = (): void => {
    host.confirmQuit.sessionEnds()
    app.quit()
  }
  powerMonitor.on('shutdown', (event?: Pick<Event, 'preventDefault'>) => {
    // Asks the system to wait until the process has ended.
    event?.preventDefault()
    endSession()
  })
  // In place of Chromium's own handlers, for which this is a quit like any other.
  for (const signal of signals) process.on(signal, endSession)
  let clearing = false
  app.on('before-quit', (event) => {
    if (host.confirmQuit.pending()) {
      event.preventDefault()
      void host.confirmQuit.end(quitAgain)
      return
    }
    // A clipboard that another program holds open does not prevent quitting.
    if (clearing || !host.secrets.pending()) return
    clearing = true
    event.preventDefault()
    void host.secrets.clear().finally(quitAgain)
  })
  let closing: Promise<void> | undefined
  let isClosed = false
  app.on('will-quit', (event) => {
    if (isClosed) return
    // The process must not end before that, and where the window was as it closed, is on disk; whoever quits again,
    // as a session does that sends two signals, changes nothing.
    event.preventDefault()
    closing ??= host.close().finally(() => {
      isClosed = true
      quitAgain()
    })
  })
  // A call to the keychain blocks a thread for as long as the system asks for its password, and Node waits for all of
  // its threads as it ends: whoever quits would have to answer a question of an application that is gone.
  app.on('quit', () => {
    if (host.keychainBusy()) process.kill(process.pid, 'SIGKILL')
  })
  powerMonitor.on('suspend', () => host.wakeChanged(false))
  powerMonitor.on('resume', () => host.wakeChanged(true))
}
