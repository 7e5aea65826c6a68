import { app } from 'electron'
import { systemClock } from '../../../src/main/core/clock'
import { reportError } from '../../../src/main/core/report-error'
import { createUpdater } from '../../../src/main/desktop/app-updater'
import { createServiceNetwork } from '../../../src/main/desktop/service-fetch'
import { openSettings } from '../../../src/main/store/settings'
import { createUpdates } from '../../../src/main/updates/index'

// A program of the tests: the application's updates alone, as an AppImage has them, with the feed of the test.

const { UPDATES_FEED: feed = '', APPIMAGE: appImage = '' } = process.env
const { handlers } = createUpdates({
  updates: createUpdater(createServiceNetwork(), feed, appImage),
  settings: openSettings(app.getPath('userData')),
  clock: systemClock,
  isCreating: () => false,
  report: reportError,
})
/** Called by the test. */
Object.assign(globalThis, {
  updates: (name: 'check' | 'download' | 'restart') => handlers[`updates.${name}`]({}),
})
