import { app, dialog } from 'electron'
import type { Transfer } from '../../../src/shared/bridge/files'
import { systemClock } from '../../../src/main/core/clock'
import { reportError } from '../../../src/main/core/report-error'
import { followAppLifecycle } from '../../../src/main/desktop/app-lifecycle'
import { createUpdater } from '../../../src/main/desktop/app-updater'
import { createConfirmQuit } from '../../../src/main/desktop/confirm-quit'
import { createServiceNetwork } from '../../../src/main/desktop/service-fetch'
import { openSettings } from '../../../src/main/store/settings'
import { createUpdates } from '../../../src/main/updates/index'

// A program of the tests: the application's updates and exit, as in an AppImage, with the feed of the test.

const { UPDATES_FEED: feed = '', APPIMAGE: appImage = '' } = process.env
/** Set by the test. */
const transfers: Transfer[] = []
const nothing = (): void => undefined
const confirmQuit = createConfirmQuit({
  unfinished: () => ({ transfers, terminals: [], forwards: [] }),
  showWindow: nothing,
  ask: (options) => dialog.showMessageBox(options),
  report: reportError,
})
const { handlers } = createUpdates({
  updates: createUpdater(createServiceNetwork(), confirmQuit.end, feed, appImage),
  settings: openSettings(app.getPath('userData')),
  clock: systemClock,
  // A transfer that starts after the update has checked for one.
  heldBy: () => null,
  report: reportError,
})
void app.whenReady().then(() =>
  followAppLifecycle({
    staysInTray: () => Promise.resolve(true),
    confirmUnwatched: () => Promise.resolve(true),
    showMinimized: nothing,
    stayed: nothing,
    wakeChanged: nothing,
    confirmQuit,
    secrets: { pending: () => false, clear: () => Promise.resolve() },
    close: () => Promise.resolve(),
    startHidden: () => false,
    keychainBusy: () => false,
  }),
)
/** Called by the test. */
Object.assign(globalThis, {
  transfers,
  updates: (name: 'check' | 'download' | 'restart') => handlers[`updates.${name}`]({}),
})
