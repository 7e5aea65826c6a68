import { app } from 'electron'
import type { Launch } from '../ssh/launcher/terminal'

/**
 * How this application is started once more, for a moment and without a window: it needs no display, and as root no
 * sandbox either.
 */
export const ownProgram = (): Launch => ({
  file: process.execPath,
  args: [
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    ...(app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ],
})
