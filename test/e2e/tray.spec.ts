import { expect, test } from './fixtures'
import { pictureOfScreen } from './support/pictures'
import { press, readableXterms, windowShown, windows } from './support/screen'
import { accentPixelsOfTray, openTrayMenu, trayMenuLabels, trayTooltip } from './support/tray'
import { chooseTerminal, lookAround, machineNames } from './support/window'

test.use({ needs: ['tray', 'ssh', 'xterm'] })

test('the tray counts the running machines, lists them, and connects to one', async ({ start, place }) => {
  const xterms = readableXterms(place.home)
  const { window } = await start(xterms.env)
  await lookAround(window)
  await machineNames(window)
  await chooseTerminal(window, /^xterm/)

  await expect.poll(trayTooltip).toContain('9 machines running')
  await expect
    .poll(async () => (await trayMenuLabels())[0])
    .toMatch(/^Sandbox · 9 running · [\d.]+ USD \/ h$/)
  const labels = await trayMenuLabels()
  expect(labels[1]).toBe('eval-nightly (running)')
  expect(labels.slice(-2)).toEqual(['Open Wheelhouse', 'Quit'])

  await openTrayMenu()
  // To the first machine, and into its own menu.
  await press('Down', 'Right')
  const picture = await pictureOfScreen('Tray menu')
  expect(await accentPixelsOfTray(picture)).toBeGreaterThan(20)

  await press('Return')
  const xterm = await windowShown('--class', '^XTerm$')
  await expect.poll(() => xterms.screenOf(xterm)).toMatch(/@eval-nightly:~\$/)
})

test('closing the window leaves the tray, from where it opens again', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  await window.close()
  await expect.poll(() => windows('--name', 'Wheelhouse')).toEqual([])

  await openTrayMenu()
  await pictureOfScreen('Tray without a window')
  const opened = electron.waitForEvent('window')
  // The panel draws an open menu anew when its labels change, and keys that come before are lost: one tries again.
  await press('End', 'Up', 'Return')
  await expect(async () => {
    if ((await windows('--name', 'Wheelhouse')).length > 0) return
    await openTrayMenu()
    await press('End', 'Up', 'Return')
    await windowShown('--name', 'Wheelhouse')
  }).toPass()
  expect(await machineNames(await opened)).toHaveLength(12)
})

test('Quit in the tray ends the application', async ({ start }) => {
  const { electron } = await start()
  const ended = electron.waitForEvent('close')
  await openTrayMenu()
  await press('End', 'Return')
  await ended
})
