import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { translate } from '#shared/messages/index'
import { type CrashReport, crashReport } from './crash-report'
import { crashReportWriter } from './crash-reports'
import { startRun } from './run-marker'

/**
 * Leaves a report of uncaught errors. An exception ends the run at once, since what is in memory is no longer known
 * to be right: all that was confirmed is on disk. After a rejection it continues, as Electron does. `started` is to be
 * called once this is the only instance: a run that ended without a word is reported then.
 */
export function watchForCrashes(folder: string): { started(): void } {
  const write = crashReportWriter(folder)
  const run = {
    version: app.getVersion(),
    electron: process.versions.electron,
    system: `${process.platform} ${process.arch}`,
  }
  let ended = (): void => undefined
  const report = (kind: CrashReport['kind'], error: unknown): void => {
    write(crashReport(error, { ...run, kind, at: new Date().toISOString(), root: app.getAppPath() }))
    // In full for developers; with an installed one the output may land in the system's log.
    if (!app.isPackaged) console.error(error)
  }
  process.on('uncaughtException', (error) => {
    report('exception', error)
    ended()
    // With everything open app.exit() aborts, and the system may then keep the memory with all that is secret.
    process.kill(process.pid, 'SIGKILL')
  })
  process.on('unhandledRejection', (reason) => report('rejection', reason))
  // Chromium starts the graphics process again by itself; what it had drawn is gone.
  app.on('child-process-gone', (_event, { type }) => {
    if (type !== 'GPU') return
    for (const window of BrowserWindow.getAllWindows()) window.webContents.invalidate()
  })
  return {
    started() {
      const session = process.env.XDG_SESSION_ID ?? null
      const marker = startRun(
        join(app.getPath('userData'), 'running.json'),
        { ...run, session },
        { nowMs: Date.now, bootedMs: Date.now() - uptime() * 1000, report: write },
      )
      ended = marker.end
      app.on('quit', ended)
      setInterval(marker.alive, 60_000).unref()
      // Windows ends a program with the person's session, and Electron then says no more than this.
      app.on('browser-window-created', (_event, window) => window.on('session-end', ended))
    },
  }
}

/** Asks what to do about a page that crashes again and again: whether to open it once more, else to quit. */
export async function keepsCrashing(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: translate('common.product'),
    message: translate('desktop.keepsCrashing.title'),
    detail: translate('desktop.keepsCrashing.text'),
    buttons: [translate('desktop.keepsCrashing.again'), translate('desktop.keepsCrashing.quit')],
    cancelId: 0,
    defaultId: 0,
    noLink: true,
  })
  if (response === 0) return true
  app.quit()
  return false
}
