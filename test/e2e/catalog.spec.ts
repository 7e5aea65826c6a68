import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { control, requestsTo } from '../fixtures/sandbox-control'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames } from './support/window'

const rowsOf = (window: Page, list: 'Flavors' | 'Images'): Locator =>
  window.getByRole('grid', { name: list }).locator('[role=row][aria-selected]')

const openCatalog = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  await window.getByRole('link', { name: 'Catalog' }).click()
  await expect(rowsOf(window, 'Flavors').first()).toBeVisible()
}

/** Returns the visible cells of a column, from top to bottom. */
const column = async (window: Page, name: string): Promise<readonly string[]> => {
  const heads = await window.getByRole('grid').getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((head) => head.trim() === name)
  const rows = window.getByRole('grid').locator('[role=row][aria-selected]')
  const cells = await rows.locator(`[role=gridcell]:nth-child(${String(at + 1)})`).allInnerTexts()
  return cells.map((cell) => cell.trim())
}
const filter = (window: Page): Locator => window.getByRole('textbox', { name: 'Filter the catalog' })

test('flavors and images are found by region, name, stock and cost per GPU', async ({ start, service }) => {
  const { window, electron } = await start()
  await openCatalog(window, service)
  await pictureInBothThemes(electron, window, 'Catalog')
  expect(await violations(electron, window)).toEqual([])

  // The cheapest GPU is first; after another click, the most expensive.
  const perGpu = async () => (await column(window, 'Per GPU')).map(Number.parseFloat)
  const ascending = await perGpu()
  expect(ascending.length).toBeGreaterThan(5)
  expect(ascending).toEqual(ascending.toSorted((one, other) => one - other))
  const head = window.getByRole('columnheader', { name: 'Per GPU' })
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  expect((await perGpu())[0]).toBeGreaterThan(ascending[0] ?? 0)

  await filter(window).fill('h100 8x')
  await expect.poll(async () => [...new Set(await column(window, 'GPU'))]).toEqual(['8 × H100 80GB SXM'])
  expect(await column(window, 'Region')).toEqual(expect.arrayContaining(['Oslo', 'Virginia']))
  await filter(window).fill('')

  await window.getByLabel('Region', { exact: true }).selectOption('us-east-1')
  await expect.poll(async () => [...new Set(await column(window, 'Region'))]).toEqual(['Virginia'])
  await expect(window.getByText('Out of stock').first()).toBeVisible()
  await window.getByRole('checkbox', { name: 'In stock only' }).check()
  await expect(window.getByText('Out of stock')).toHaveCount(0)

  await filter(window).fill('nothing of this kind')
  await expect(window.getByRole('heading', { name: 'No matches' })).toBeVisible()
  await window.getByRole('button', { name: 'Clear filters' }).click()

  await window.getByRole('radio', { name: 'Images' }).click()
  await expect(rowsOf(window, 'Images').filter({ hasText: 'Debian 12' })).toHaveCount(1)
  await expect.poll(async () => [...new Set(await column(window, 'Region'))]).toEqual(['Virginia'])
  await pictureOfWindow(window, 'Catalog, images')

  await window.getByRole('radio', { name: 'Bare metal' }).click()
  await expect(rowsOf(window, 'Images').first()).toBeVisible()
  await window.getByRole('radio', { name: 'Flavors' }).click()
  await expect.poll(async () => (await column(window, 'Name'))[0]).toMatch(/^bm-/)
  await pictureOfWindow(window, 'Catalog, bare metal')
  expect(await requestsTo(service)).toEqual(
    expect.arrayContaining([
      'GET /flavors',
      'GET /images',
      'GET /bare-metal/flavors',
      'GET /bare-metal/images',
    ]),
  )
})

test('a machine and bare metal are started from a selection in the catalog @deep', async ({
  start,
  service,
}) => {
  const { window, electron } = await start()
  await openCatalog(window, service)
  await filter(window).fill('h100-80g.2x oslo')
  const row = rowsOf(window, 'Flavors').first()
  await row.hover()
  await pictureInBothThemes(electron, window, 'Create from the catalog')
  await row.getByRole('button', { name: /^Create with flavor h100-80g.2x/ }).click()
  await expect(window.getByRole('heading', { name: 'New machine' })).toBeVisible()
  await expect(window.getByRole('radio', { name: /^Oslo/ })).toBeChecked()
  await expect(window.getByRole('row').filter({ hasText: 'h100-80g.2x' }).getByRole('radio')).toBeChecked()
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('kept-name')

  // By keyboard, with an image: earlier input stays.
  await window.getByRole('link', { name: 'Catalog' }).click()
  await window.getByRole('radio', { name: 'Images' }).click()
  await filter(window).fill('debian oslo')
  await expect(rowsOf(window, 'Images')).toHaveCount(1)
  await window.getByRole('grid', { name: 'Images' }).focus()
  await window.keyboard.press('Home')
  await window.keyboard.press('c')
  await expect(window.getByRole('combobox', { name: 'Image' })).toHaveValue(/.+/)
  await expect(window.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('kept-name')
  await expect(window.getByRole('radio', { name: /^Oslo/ })).toBeChecked()

  // The catalog is as it was left.
  await window.getByRole('link', { name: 'Catalog' }).click()
  await expect(filter(window)).toHaveValue('debian oslo')
  await expect(window.getByRole('radio', { name: 'Images' })).toBeChecked()
  await filter(window).fill('')
  await window.getByRole('radio', { name: 'Flavors' }).click()
  await window.getByRole('radio', { name: 'Bare metal' }).click()
  await rowsOf(window, 'Flavors').filter({ hasText: 'In stock' }).first().hover()
  await rowsOf(window, 'Flavors')
    .filter({ hasText: 'In stock' })
    .first()
    .getByRole('button', { name: /^Create with flavor bm-/ })
    .click()
  await expect(window.getByRole('heading', { name: 'New bare metal instance' })).toBeVisible()
  await expect(
    window.getByRole('row').filter({ hasText: 'bm-' }).getByRole('radio', { checked: true }),
  ).toHaveCount(1)
})

test('an out-of-stock flavor is watched, also over a restart, and its return is notified', async ({
  start,
  service,
}) => {
  const first = await start()
  await openCatalog(first.window, service)
  await filter(first.window).fill('gb200')
  await first.window.getByRole('button', { name: /^Notify me when gb200-192g.4x in Virginia/ }).click()
  await expect(
    first.window.getByRole('button', { name: 'Stop watching gb200-192g.4x in Virginia' }),
  ).toBeVisible()
  await pictureInBothThemes(first.electron, first.window, 'Watched flavor')
  await first.quit()

  const { window, electron } = await start()
  const notifications = await catchNotifications(electron)
  await window.getByRole('link', { name: 'Catalog' }).click()
  await filter(window).fill('gb200')
  await expect(window.getByRole('button', { name: /^Stop watching gb200/ })).toBeVisible()

  const flavors = await fetch(`${service.baseUrl}/flavors`, {
    headers: { Authorization: `Bearer ${service.apiToken}` },
  })
  await control(service, 'POST', '/faults', {
    kind: 'status',
    status: 200,
    method: 'GET',
    path: '/flavors',
    count: 1000,
    body: (await flavors.text()).replaceAll('"stock_available":false', '"stock_available":true'),
  })
  await window.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(window.getByText('gb200-192g.4x in Virginia is back in stock')).toBeVisible()
  // Other notifications may arrive too, such as of idle machines.
  const ofStock = (await notifications.shown()).filter(({ title }) => title.includes('stock'))
  const [notified, ...others] = ofStock
  expect(others).toEqual([])
  expect(notified?.title).toBe('gb200-192g.4x is back in stock')
  expect(notified?.body).toMatch(/^In Virginia, on /)
  await expect(window.getByRole('button', { name: /^Stop watching/ })).toHaveCount(0)

  await window.getByRole('link', { name: 'Machines' }).click()
  await notifications.click('gb200-192g.4x is back in stock')
  await expect(filter(window)).toHaveValue('gb200-192g.4x')
  await expect(rowsOf(window, 'Flavors').getByText('In stock')).toBeVisible()
})
