import { control } from '../fixtures/sandbox-control'
import { expect, test } from './fixtures'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import { chooseToConnect, connectWithToken, machineNames, openPage } from './support/window'

const settling = { timeout: 30_000 }

test('nothing on the overview moves when the waste appears @deep', async ({ start, service }) => {
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
  const days = window.getByRole('region', { name: 'Spending per day' })
  const barsIn = async () =>
    ((await days.locator('figure').boundingBox())?.y ?? 0) - ((await days.boundingBox())?.y ?? 0)
  const barsBefore = await barsIn()
  await control(service, 'DELETE', '/faults')
  await expect(window.getByRole('heading', { name: /^Waste: / })).toBeVisible(settling)
  await expect(window.getByRole('button', { name: /^Show all / })).toBeVisible(settling)
  expect(Math.abs((await topOf()) - before)).toBeLessThan(8)
  await expect(days.getByText('Charged', { exact: true }).first()).toBeVisible(settling)
  expect(await barsIn()).toBe(barsBefore)
  await pictureInBothThemes(electron, window, 'Overview with waste')

  // A card with enough space does not scroll.
  const box = alerts.locator('.alerts')
  expect(await box.locator('li').count()).toBeGreaterThan(0)
  const unused = await box.evaluate((element) => {
    const isScrolled = element.scrollHeight > element.clientHeight + 1
    return isScrolled
      ? Number.parseFloat(getComputedStyle(element).maxHeight) - element.getBoundingClientRect().height
      : 0
  })
  expect(unused).toBeLessThan(1)

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
