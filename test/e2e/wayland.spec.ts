import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { control } from '../fixtures/sandbox-control'
import { expect, test } from './fixtures'
import { answerSaveDialog } from './support/dialogs'
import { catchNotifications } from './support/notifications'
import { pictureOfWindow } from './support/pictures'
import { chooseInTrayMenu, openTrayMenu, trayMenuLabels } from './support/tray'
import { chooseToConnect, connect, lookAround, machineNames, panelOf } from './support/window'

// The main flows again with Wayland windows, in a headless compositor without focus (scripts/desktop-session.mjs
// --wayland). The panel with the tray uses X, as everywhere.
test.use({ needs: ['tray', 'ssh'] })

const isVisible = (electron: ElectronApplication): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true)

test('the window is shown, signs in, and is at the system’s position', async ({ start, service, place }) => {
  const kept = { page: '/machines', x: 40, y: 50, width: 1200, height: 800 }
  writeFileSync(join(place.userData, 'settings.json'), JSON.stringify({ window: kept }))
  const { electron, window, quit } = await start()
  await expect.poll(() => isVisible(electron)).toBe(true)
  await chooseToConnect(window)
  await connect(window, service)
  expect(await machineNames(window)).toHaveLength(12)
  await pictureOfWindow(window, 'Machines under Wayland')
  expect(await electron.evaluate(({ app }) => app.commandLine.getSwitchValue('ozone-platform'))).toBe(
    'wayland',
  )
  await quit()
  // Data of an X session stays for the next one.
  expect(JSON.parse(readFileSync(join(place.userData, 'settings.json'), 'utf8'))).toMatchObject({
    window: kept,
  })
})

test('a machine is created and followed until it runs', async ({ start, service }) => {
  const { electron, window } = await start()
  const notifications = await catchNotifications(electron)
  await chooseToConnect(window)
  await connect(window, service)
  await window.getByRole('button', { name: 'New machine' }).click()
  await window.getByRole('radio', { name: /^H100/ }).check()
  await window.getByRole('row').filter({ hasText: 'h100-80g.2x' }).getByRole('radio').check()
  await window.getByRole('radio', { name: /^Oslo/ }).check()
  await window.getByRole('combobox', { name: 'Image' }).selectOption({ label: 'Debian 12' })
  await window.getByRole('button', { name: 'Generate a new key…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Generate a key' })
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog).toBeHidden()
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('first-light')
  await window.getByRole('button', { name: 'Create machine' }).click()
  await expect(panelOf(window, 'first-light').getByText('Creating')).toBeVisible()
  await control(service, 'POST', '/clock', { advance: 120 })
  await expect
    .poll(notifications.shown)
    .toContainEqual({ title: 'first-light is running', body: 'Click to connect.' })
})

test('the window closes to the tray, opens from there, and comes back after it was minimized', async ({
  start,
}) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await window.close()
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Sandbox · 9 running · [\d.]+ USD/))
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Waste: /))
  await openTrayMenu()
  const opened = electron.waitForEvent('window')
  await chooseInTrayMenu('Open Wheelhouse')
  const again = await opened
  expect(await machineNames(again)).toHaveLength(12)
  await expect.poll(() => isVisible(electron)).toBe(true)

  // Chromium ends if a minimized window is shown in the wrong way.
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
  await electron.evaluate(({ app }) => app.emit('activate'))
  await expect.poll(() => isVisible(electron)).toBe(true)
  expect(await machineNames(again)).toHaveLength(12)
})

test('a report is printed by a hidden window', async ({ start, place }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await window.getByRole('link', { name: 'Billing' }).click()
  await answerSaveDialog(electron, join(place.home, 'report.pdf'))
  await window.getByRole('button', { name: 'Report' }).click()
  await window.getByRole('menuitem').first().click()
  await expect(window.getByText('Saved report.pdf')).toBeVisible()
  expect(readFileSync(join(place.home, 'report.pdf')).toString('latin1')).toMatch(/^%PDF-/)
})
