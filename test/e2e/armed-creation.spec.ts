import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, test } from './fixtures'
import { control, requestsTo, stateOf } from '../fixtures/sandbox-control'
import { violations } from './support/accessibility'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames } from './support/window'

test.use({ needs: ['ssh'] })

const Flavors = z.object({
  data: z.array(
    z.object({
      region: z.string(),
      products: z.array(z.object({ id: z.string(), name: z.string(), stock_available: z.boolean() })),
    }),
  ),
})
/** Returns the id of a flavor in Virginia. */
const flavorId = async (service: Sandbox, name: string): Promise<string> => {
  const answer = await fetch(`${service.baseUrl}/flavors`, {
    headers: { Authorization: `Bearer ${service.apiToken}` },
  })
  const { data } = Flavors.parse(await answer.json())
  const found = data
    .filter(({ region }) => region === 'Virginia')
    .flatMap(({ products }) => products)
    .find((product) => product.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found.id
}
const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const nameField = (window: Page) => window.getByRole('textbox', { name: 'Name', exact: true })
const armed = (window: Page) => window.getByRole('region', { name: 'Waiting for stock' })
const posts = async (service: Sandbox) =>
  (await requestsTo(service)).filter((request) => request === 'POST /virtual-machines').length
const readCatalog = async (window: Page): Promise<void> => {
  await window.getByRole('link', { name: 'Catalog' }).click()
  await window.getByRole('button', { name: 'Refresh', exact: true }).click()
}

test('a sold-out flavor is armed with the mouse, survives a restart, and is created once when it is back', async ({
  start,
  service,
}) => {
  test.slow()
  const first = await start()
  await enter(first.window, service)
  await first.window.getByRole('button', { name: 'New machine' }).click()
  await first.window.getByRole('button', { name: 'Generate a new key…' }).click()
  const keyDialog = first.window.getByRole('dialog', { name: 'Generate a key' })
  await expect(keyDialog.getByLabel('File name')).not.toHaveValue('')
  await keyDialog.getByRole('button', { name: 'Generate' }).click()
  await expect(keyDialog).toBeHidden()
  await first.window.getByRole('radio', { name: /^GB200/ }).check()
  await expect(first.window.getByRole('button', { name: 'Create when back in stock…' })).toBeVisible()
  await pictureInBothThemes(first.electron, first.window, 'Form of a sold-out flavor')
  await nameField(first.window).fill('')
  await first.window.getByRole('button', { name: 'Create when back in stock…' }).click()
  await expect(nameField(first.window)).toBeFocused()
  await nameField(first.window).fill('late-1')
  await first.window.getByRole('button', { name: 'Create when back in stock…' }).click()
  const dialog = first.window.getByRole('dialog', { name: /^Create late-1 when gb200/ })
  await expect(dialog.getByText('A catalog may list the price of one GPU,')).toBeVisible()
  await pictureInBothThemes(first.electron, first.window, 'Terms of the wait')
  expect(await violations(first.electron, first.window)).toEqual([])
  await expect(dialog.getByText(/^With less than/)).toBeVisible()
  await dialog.getByRole('button', { name: /^Allow / }).click()
  await expect(dialog.getByText(/^With less than/)).toBeHidden()
  await dialog.getByRole('button', { name: 'Wait and create' }).click()
  await expect(armed(first.window).locator('bdi', { hasText: 'late-1' })).toBeVisible()
  await pictureInBothThemes(first.electron, first.window, 'Armed creation above the machines')
  expect(await posts(service)).toBe(0)
  await first.quit()

  const { window, electron } = await start()
  const notifications = await catchNotifications(electron)
  await window.getByRole('link', { name: 'Overview' }).click()
  await expect(armed(window).locator('bdi', { hasText: 'late-1' })).toBeVisible()
  await armed(window).scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Armed creation in the overview')
  await control(service, 'PUT', `/flavors/${await flavorId(service, 'gb200-192g.4x')}/stock`, {
    in_stock: true,
  })
  await readCatalog(window)
  await expect.poll(() => posts(service)).toBe(1)
  await expect(armed(window)).toHaveCount(0)
  await expect
    .poll(async () => (await notifications.shown()).map(({ title }) => title))
    .toContain('late-1 is being created')
  await window.getByRole('button', { name: 'Refresh', exact: true }).click()
  await window.getByRole('link', { name: 'Machines' }).click()
  await expect(window.getByText('Creating late-1')).toBeVisible()
  const created = (await stateOf(service)).machines.filter(({ name }) => name === 'late-1')
  expect(created).toHaveLength(1)
  expect(await posts(service)).toBe(1)
})

test('with the keyboard only: armed below the price, changed, and given back to the form @deep', async ({
  start,
  service,
}) => {
  test.slow()
  const { window, electron } = await start()
  await enter(window, service)
  await window.getByRole('button', { name: 'New machine' }).focus()
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Generate a new key…' }).focus()
  await window.keyboard.press('Enter')
  await expect(
    window.getByRole('dialog', { name: 'Generate a key' }).getByLabel('File name'),
  ).not.toHaveValue('')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('dialog')).toHaveCount(0)
  await window.getByRole('textbox', { name: 'Filter GPUs' }).focus()
  await window.keyboard.type('gb200')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('radio', { name: /^GB200/ })).toBeFocused()
  await nameField(window).focus()
  await window.keyboard.press('Control+A')
  await window.keyboard.type('late-2')
  await window.keyboard.press('Enter')
  const dialog = window.getByRole('dialog', { name: /^Create late-2 when gb200/ })
  await expect(dialog.getByLabel(/^Highest price per hour/)).toBeFocused()
  await window.keyboard.press('Control+A')
  await window.keyboard.type('0.01')
  await window.keyboard.press('Enter')
  await expect(armed(window).locator('bdi', { hasText: 'late-2' })).toBeVisible()

  await control(service, 'PUT', `/flavors/${await flavorId(service, 'gb200-192g.4x')}/stock`, {
    in_stock: true,
  })
  await readCatalog(window)
  await expect(armed(window).getByText(/^In stock, but at up to/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'In stock above the cap, in the catalog')
  expect(await posts(service)).toBe(0)

  await armed(window)
    .getByRole('button', { name: /^Change/ })
    .focus()
  await window.keyboard.press('Enter')
  const change = window.getByRole('dialog', { name: 'Change the wait for late-2' })
  await expect(change.getByLabel(/^Highest price per hour/)).toHaveValue('0.01')
  await window.keyboard.press('Escape')
  await expect(change).toBeHidden()
  await armed(window)
    .getByRole('button', { name: /^Don’t create/ })
    .focus()
  await window.keyboard.press('Enter')
  await expect(armed(window)).toHaveCount(0)
  await window.getByRole('link', { name: 'Machines' }).click()
  await window.getByRole('button', { name: 'New machine' }).click()
  await expect(nameField(window)).toHaveValue('late-2')
  expect(await posts(service)).toBe(0)
})
