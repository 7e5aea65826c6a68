import { app } from 'electron'
import type { Launch } from '../ssh/launcher/terminal'

/** Returns how to start this application briefly without a window: no display and, as root, no sandbox. */
export const ownProgram = (): Launch => ({
  file: process.execPath,
  args: [
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    ...(app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ],
})
