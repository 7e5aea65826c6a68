import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { translate } from '#shared/messages/index'
import { type CrashReport, crashReport } from './crash-report'
import { crashReportWriter } from './crash-reports'
import { startRun } from './run-marker'

const aliveIntervalMs = 60_000

/**
 * Writes a report of each uncaught error. An exception ends the run at once, since memory may be inconsistent; confirmed
 * data is on disk. A rejection does not, as in Electron. Call `started` once this is the only instance: it reports a
 * previous run that ended without a report.
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
    // Full details for developers only: the output of an installed application may reach the system's log.
    if (!app.isPackaged) console.error(error)
  }
  process.on('uncaughtException', (error) => {
    report('exception', error)
    ended()
    // app.exit() aborts while windows are open, and the system may then store the memory with every secret.
    process.kill(process.pid, 'SIGKILL')
  })
  process.on('unhandledRejection', (reason) => report('rejection', reason))
  // Chromium restarts the graphics process by itself, but its drawings are lost.
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
      setInterval(marker.alive, aliveIntervalMs).unref()
      // Windows ends programs with the user's session, and Electron then emits only this event.
      app.on('browser-window-created', (_event, window) => window.on('session-end', ended))
    },
  }
}

/** Asks whether to reload a page that crashes repeatedly. Otherwise the application quits. */
export async function confirmReload(window: BrowserWindow): Promise<boolean> {
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
