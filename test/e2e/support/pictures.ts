import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ElectronApplication, expect, type Locator, type Page, test } from '@playwright/test'
import { en } from '../../../src/shared/messages/en/index'
import { messageTexts } from '../../fixtures/message-uses'
import { output } from './command'

export const picturesFolder = join(import.meta.dirname, '../../../test-results/pictures')

const guidePicturesFolder = join(picturesFolder, '../guide-pictures')

/** A quarter of the processor time of all end-to-end tests, only for people: none with CI=true. */
export const takesPictures = process.env.CI !== 'true'

const taken = new Map<string, number>()

/** By test file, line of the test and number, so that the contact sheet shows each story in order. */
const nextPicture = (name: string): string => {
  mkdirSync(picturesFolder, { recursive: true })
  const { file, line, testId } = test.info()
  const number = (taken.get(testId) ?? 0) + 1
  taken.set(testId, number)
  const place = `${String(line).padStart(3, '0')}-${String(number).padStart(2, '0')}`
  return join(picturesFolder, `${basename(file, '.spec.ts')} ${place} ${name}.png`)
}

/** The current page of the window. */
export const pictureOfWindow = async (window: Page, name: string): Promise<void> => {
  if (takesPictures) await window.screenshot({ path: nextPicture(name), animations: 'disabled' })
}

/** Runs an action in dark and in light, and restores the theme. */
const inBothThemes = async (
  electron: ElectronApplication,
  window: Page,
  act: (theme: 'dark' | 'light') => Promise<void>,
): Promise<void> => {
  for (const theme of ['dark', 'light'] as const) {
    await electron.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
    await expect
      .poll(() => window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(theme === 'dark')
    await act(theme)
  }
  await electron.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'system'
  })
}

/** The window's page in dark and in light, then as before. */
export const pictureInBothThemes = async (
  electron: ElectronApplication,
  window: Page,
  name: string,
): Promise<void> => {
  if (takesPictures)
    await inBothThemes(electron, window, (theme) => pictureOfWindow(window, `${name}, ${theme}`))
}

/**
 * A picture of README and user guide in both themes, as `NAME-THEME.png`, and its messages in `NAME.json`: by these
 * `npm test` detects outdated pictures (scripts/pages.test.ts).
 */
export const guidePicture = async (
  electron: ElectronApplication,
  window: Page,
  name: string,
  shown: Page | Locator = window,
): Promise<void> => {
  mkdirSync(guidePicturesFolder, { recursive: true })
  await inBothThemes(electron, window, async (theme) => {
    await shown.screenshot({
      path: join(guidePicturesFolder, `${name}-${theme}.png`),
      animations: 'disabled',
    })
  })
  const texts = await window.locator('h1, h2, h3, button, th, dt, label, [role=tab], a').allInnerTexts()
  const words = new Set(texts.map((text) => text.trim()).filter((text) => messageTexts(en).has(text)))
  writeFileSync(join(guidePicturesFolder, `${name}.json`), JSON.stringify([...words].sort()))
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
