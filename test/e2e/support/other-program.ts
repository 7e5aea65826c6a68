import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron } from '@playwright/test'
import { screenSwitches, steadily } from './application'

/** Another program of the desktop that copies and reads text. */
export const openOtherProgram = async (folder: string) => {
  const executablePath = process.env.ELECTRON_EXEC_PATH
  if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'other', version: '1.0.0', main: 'main.cjs' }),
  )
  writeFileSync(join(folder, 'main.cjs'), '')
  const electron = await _electron.launch({
    executablePath,
    args: [folder, `--user-data-dir=${join(folder, 'user-data')}`, ...screenSwitches],
    chromiumSandbox: process.getuid?.() !== 0,
  })
  return {
    copy: (text: string): Promise<void> =>
      steadily(() => electron.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text)),
    copied: (): Promise<string> => steadily(() => electron.evaluate(({ clipboard }) => clipboard.readText())),
    close: (): Promise<void> => electron.close(),
  }
}
