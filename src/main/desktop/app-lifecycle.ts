import { app, powerMonitor } from 'electron'

/** Follows the application from here to its end: its windows, the sleep of the computer, and quitting. */
export function followAppLifecycle(parts: {
  /** Whether the application goes on in the tray once its window is closed. */
  readonly staysInTray: boolean
  showWindow(): void
  wakeChanged(awake: boolean): void
  /** A secret that is still on the clipboard is taken back before anything ends. */
  readonly secrets: { pending(): boolean; clear(): Promise<void> }
  close(): void
  /** Settles once what was to be kept is on disk. */
  saved(): Promise<void>
  /** Whether a call to the keychain still waits for the person. */
  keychainBusy(): boolean
}): void {
  app.on('window-all-closed', () => {
    if (!parts.staysInTray) app.quit()
  })
  app.on('second-instance', () => parts.showWindow())
  app.on('activate', () => parts.showWindow())
  // In a turn of its own: while the event that was prevented is still being handled, Electron ignores app.quit().
  const quitAgain = (): void => void setTimeout(() => app.quit(), 0)
  app.on('before-quit', (event) => {
    if (!parts.secrets.pending()) return
    event.preventDefault()
    void parts.secrets.clear().finally(quitAgain)
  })
  let saved = false
  app.on('will-quit', (event) => {
    if (saved) return
    saved = true
    parts.close()
    // Where the window was is told as it closes: the process must not end before that is on disk.
    event.preventDefault()
    void parts.saved().finally(quitAgain)
  })
  // A call to the keychain blocks a thread for as long as the system asks for its password, and Node waits for all of
  // its threads as it ends: whoever quits would have to answer a question of an application that is gone.
  app.on('quit', () => {
    if (parts.keychainBusy()) process.kill(process.pid, 'SIGKILL')
  })
  powerMonitor.on('suspend', () => parts.wakeChanged(false))
  powerMonitor.on('resume', () => parts.wakeChanged(true))
}
