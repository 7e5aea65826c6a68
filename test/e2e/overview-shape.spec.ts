import { control } from '../fixtures/sandbox-control'
import { expect, test } from './fixtures'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import { chooseToConnect, connectWithToken, machineNames, openPage } from './support/window'

const settling = { timeout: 30_000 }

test('nothing on the overview moves once the waste is found', async ({ start, service }) => {
  await control(service, 'POST', '/faults', {
    kind: 'delay',
    milliseconds: 60_000,
    path: '/billing/resources/usage',
    count: 100,
  })
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connectWithToken(window, service)
  await window.getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(window.getByRole('heading', { name: 'Checking for waste…' })).toBeVisible()
  await expect(window.getByText('Nothing needs attention')).toHaveCount(0)
  const alerts = window.getByRole('region', { name: 'Needs attention' })
  await expect(alerts).toContainText('Checking for anything that needs attention…')
  await pictureInBothThemes(electron, window, 'Overview before anything is known')
  const topOf = async () => (await alerts.boundingBox())?.y ?? 0
  const before = await topOf()
  await control(service, 'DELETE', '/faults')
  await expect(window.getByRole('heading', { name: /^Waste: / })).toBeVisible(settling)
  await expect(window.getByRole('button', { name: /^Show all / })).toBeVisible(settling)
  expect(Math.abs((await topOf()) - before)).toBeLessThan(8)
  await pictureInBothThemes(electron, window, 'Overview with waste')

  // Nothing is scrolled inside of a card that has room.
  const box = alerts.locator('.alerts')
  const rows = await box.locator('li').count()
  const isScrolled = await box.evaluate((element) => element.scrollHeight > element.clientHeight + 1)
  expect(rows <= 2 && isScrolled).toBe(false)

  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1_680, 900))
  await openPage(window, 'Machines')
  await machineNames(window)
  await expect(window.getByText(/^CPU idle \d+/).first()).toBeVisible(settling)
  const cut = await window
    .locator('.cut.idle')
    .evaluateAll((marks) =>
      marks.filter((mark) => mark.scrollWidth > mark.clientWidth).map((mark) => mark.textContent),
    )
  expect(cut).toEqual([])
  await pictureOfWindow(window, 'Machines at 1680')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(820, 700))
  await window.getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(window.getByRole('heading', { name: /^Waste: / })).toBeVisible(settling)
  await pictureOfWindow(window, 'Overview, narrow')
})
