import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { launchElectron, screenSwitches } from './support/application'
import { catchNotifications } from './support/notifications'
import { resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { trayMenuLabels } from './support/tray'
import { lookAround, openPage } from './support/window'

const sections = (window: Page) => window.getByRole('navigation', { name: 'Settings sections' })

test('settings are found by their sections, a search and the palette, with mouse and keyboard', async ({
  start,
}) => {
  const { electron, window } = await start()
  const narrow = () => resize(electron, [1000, 700])
  const wide = () => resize(electron, [1360, 860])
  await lookAround(window)
  await openPage(window, 'Settings')
  const navigation = sections(window)
  await expect(navigation.getByRole('link', { name: 'General' })).toHaveAttribute('aria-current', 'location')
  await pictureInBothThemes(electron, window, 'Settings in sections')

  // By mouse: the section opens and is marked. Scrolling marks the section in view.
  await navigation.getByRole('link', { name: 'File transfers' }).click()
  const files = window.getByRole('region', { name: 'File transfers' })
  await expect(files).toBeInViewport({ ratio: 1 })
  await expect(navigation.locator('[aria-current]')).toHaveText('File transfers')
  await window.mouse.move(700, 400)
  await window.mouse.wheel(0, -20_000)
  await expect(navigation.locator('[aria-current]')).toHaveText('General')

  // By keyboard: slash, the arrow down into the sections, Enter.
  await window.keyboard.press('Escape')
  await navigation.getByRole('link', { name: 'General' }).focus()
  await window.keyboard.press('/')
  await window.keyboard.type('symlink')
  await expect(navigation.getByRole('link')).toHaveText(['File transfers'])
  await expect(files).toBeVisible()
  await expect(window.getByRole('region', { name: 'Appearance' })).toBeHidden()
  await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('combobox', { name: /^Links that point/ })).toBeFocused()

  const search = window.getByRole('textbox', { name: 'Search settings' })
  await search.fill('machine')
  const marked = () => window.evaluate(() => CSS.highlights.get('settings-match')?.size ?? 0)
  await expect.poll(marked).toBeGreaterThan(2)
  await pictureInBothThemes(electron, window, 'Matches in the settings')
  await narrow()
  await pictureInBothThemes(electron, window, 'Matches in the settings, in a narrow window')
  await search.fill('zeppelin')
  await expect(window.getByText('No results for “zeppelin”.')).toBeVisible()
  await pictureInBothThemes(electron, window, 'No settings found')
  await window.getByRole('button', { name: 'Show all settings' }).click()
  await pictureInBothThemes(electron, window, 'Settings in a narrow window')
  await wide()

  // The palette finds a setting by a synonym and opens it.
  await window.keyboard.press('Control+K')
  await window.keyboard.type('fingerprint verify')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('checkbox', { name: /^Ask before the first/ })).toBeFocused()
  await expect(navigation.locator('[aria-current]')).toHaveText('Host keys')
})

test('each kind of notification is turned off by itself, and the bell shows its alerts all the same @deep', async ({
  start,
}) => {
  const { electron, window } = await start()
  const notifications = await catchNotifications(electron)
  await lookAround(window)
  await openPage(window, 'Settings')
  await sections(window).getByRole('link', { name: 'Notifications' }).click()
  await window.getByRole('button', { name: 'Send a test notification' }).click()
  const titles = async () => (await notifications.shown()).map(({ title }) => title)
  await expect.poll(titles).toContain('Test notification')
  await notifications.click('Test notification')
  const region = window.getByRole('region', { name: 'Notifications' })
  await expect(region).toBeInViewport()

  // By keyboard, with undo.
  const spending = region.getByRole('checkbox', { name: 'Hourly spending' })
  await spending.focus()
  await window.keyboard.press('Space')
  await expect(spending).not.toBeChecked()
  await expect(window.getByText('Notifications off: Hourly spending')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Kinds of notifications')
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect(spending).toBeChecked()
  await spending.click()
  await expect(spending).not.toBeChecked()

  // A limit that is exceeded at once: no notification of the desktop, but an alert in the bell.
  const limits = window.getByRole('region', { name: 'Budget and alerts' })
  await limits.getByRole('textbox', { name: 'Hourly limit' }).fill('1')
  await limits.getByRole('textbox', { name: 'Monthly budget' }).fill('1')
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: /^Alerts/ }).click()
  await expect(window.getByText('Hourly spending is over your limit')).toBeVisible({ timeout: 20_000 })
  await expect.poll(titles, { timeout: 20_000 }).toContainEqual(expect.stringMatching(/budget/i))
  expect(await titles()).not.toContain('Hourly spending is over your limit')
})

test.describe('at login', () => {
  test.skip(process.platform !== 'linux', 'reads the autostart file of a Linux desktop')
  test.use({ needs: ['tray'] })

  test('Wheelhouse opens in the tray, without a window', async ({ start, place }) => {
    const config = join(place.home, 'configuration')
    mkdirSync(config)
    const { electron, window } = await start({ XDG_CONFIG_HOME: config })
    await lookAround(window)
    await openPage(window, 'Settings')
    const file = join(config, 'autostart', 'wheelhouse.desktop')
    const login = window.getByRole('checkbox', { name: 'Open at login' })
    await expect(login).not.toBeChecked()
    await login.focus()
    await window.keyboard.press('Space')
    await expect(login).toBeChecked()
    const exec = /^Exec=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    const args = [...exec.matchAll(/"([^"]*)"/g)].map(([, argument = '']) => argument)
    expect(args[0]).toBe(process.env.ELECTRON_EXEC_PATH)
    expect(args).toContain(`--user-data-dir=${place.userData}`)
    expect(args.at(-1)).toBe('--hidden')
    await pictureInBothThemes(electron, window, 'Open at login')

    // The system holds the state.
    rmSync(file)
    await window.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(login).not.toBeChecked()
    await login.click()
    await expect(login).toBeChecked()
    await window.getByRole('button', { name: 'Undo' }).last().click()
    await expect(login).not.toBeChecked()
    expect(existsSync(file)).toBe(false)
  })

  test('a start at login shows only the tray icon, and a later start opens the window', async ({ place }) => {
    const electron = await launchElectron({ ...place, switches: [...screenSwitches, '--hidden'] })
    try {
      await expect.poll(trayMenuLabels, { timeout: 30_000 }).toContain('Open Wheelhouse')
      expect(electron.windows()).toHaveLength(0)
      const startAgain = (...args: string[]) =>
        electron.evaluate(({ app }, given) => void app.emit('second-instance', {}, given, ''), args)
      await startAgain('wheelhouse', '--hidden')
      expect(electron.windows()).toHaveLength(0)
      await startAgain('wheelhouse')
      await expect.poll(() => electron.windows().length).toBe(1)
    } finally {
      await electron.close()
    }
  })
})
