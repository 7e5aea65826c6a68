import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ElectronApplication, expect, type Page, test } from '@playwright/test'
import { steadily } from './application'
import { output } from './command'

export const picturesFolder = join(import.meta.dirname, '../../../test-results/pictures')

const taken = new Map<string, number>()

/** By file of tests, line of the test and number, so that the contact sheet shows each story in the order it happened. */
const nextPicture = (name: string): string => {
  mkdirSync(picturesFolder, { recursive: true })
  const { file, line, testId } = test.info()
  const number = (taken.get(testId) ?? 0) + 1
  taken.set(testId, number)
  const place = `${String(line).padStart(3, '0')}-${String(number).padStart(2, '0')}`
  return join(picturesFolder, `${basename(file, '.spec.ts')} ${place} ${name}.png`)
}

/** The window's page as it is. */
export const pictureOfWindow = async (window: Page, name: string): Promise<void> => {
  await window.screenshot({ path: nextPicture(name), animations: 'disabled' })
}

/** The window's page in dark and in light, then as it was. */
export const pictureInBothThemes = async (
  electron: ElectronApplication,
  window: Page,
  name: string,
): Promise<void> => {
  for (const theme of ['dark', 'light'] as const) {
    await steadily(() =>
      electron.evaluate(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source
      }, theme),
    )
    await expect
      .poll(() => window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(theme === 'dark')
    await pictureOfWindow(window, `${name}, ${theme}`)
  }
  await steadily(() =>
    electron.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'system'
    }),
  )
}

export const saveScreen = async (path: string): Promise<string> =>
  output('import', '-silent', '-window', 'root', path)

/** The whole screen: windows of other programs, the panel and its tray. Returns the picture's path. */
export const pictureOfScreen = async (name: string): Promise<string> => {
  const path = nextPicture(name)
  await saveScreen(path)
  return path
}

export const pictures = (): readonly string[] =>
  existsSync(picturesFolder)
    ? readdirSync(picturesFolder)
        .sort()
        .map((name) => join(picturesFolder, name))
    : []
