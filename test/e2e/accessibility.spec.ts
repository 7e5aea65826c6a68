import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import {
  chooseToConnect,
  lookAround,
  machineNames,
  openAccounts,
  openMachine,
  openPage,
  panelOf,
} from './support/window'

test('every page passes the accessibility checker in dark and light', async ({ start }) => {
  // The checker takes seconds for each page and theme.
  test.slow()
  const { electron, window } = await start()
  const check = async (page: string) => {
    const found = await violations(electron, window)
    expect.soft(found, page).toEqual([])
  }

  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
  await check('first run')
  await chooseToConnect(window)
  await check('connect')
  await window.getByRole('button', { name: 'Back' }).click()

  await lookAround(window)
  await machineNames(window)
  await check('machines')
  await openMachine(window, 'train-llama-01')
  await check('machine')
  await openAccounts(window)
  await check('accounts')
  await window.keyboard.press('Escape')
  await window.keyboard.press('Control+k')
  await expect(window.getByRole('combobox', { name: 'Command palette' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Command palette')
  await check('command palette')
  await window.keyboard.press('Escape')

  await openPage(window, 'Settings')
  await pictureInBothThemes(electron, window, 'Settings')
  await check('settings')
})

/** Presses Tab until an element has the focus. */
async function tabTo(wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let step = 0; step < 60; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await wanted.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted.toString()}`)
}

test('the keyboard reaches a machine from the first run without a mouse', async ({ start }) => {
  const { electron, window } = await start()
  const { keyboard } = window

  await tabTo(window.getByRole('button', { name: 'Look around first' }))
  await keyboard.press('Enter')
  await machineNames(window)

  // An icon shows its name while it has the focus.
  await tabTo(window.getByRole('button', { name: 'Create from template…' }))
  const name = window.getByText('Create from template…', { exact: true })
  await expect(name).toBeVisible()
  // On one line, although the names before it were at other places.
  expect((await name.boundingBox())?.height).toBeLessThan(32)
  await pictureInBothThemes(electron, window, 'The name of an icon with the focus')

  const grid = window.getByRole('grid', { name: 'Machines' })
  await tabTo(grid)
  await expect(name).toBeHidden()
  await keyboard.press('Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  const panel = panelOf(window, 'finetune-qwen')
  await expect(panel).toBeVisible()
  await tabTo(panel.getByRole('button', { name: /^Connect/ }))
  await keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await keyboard.press('/')
  await keyboard.type('llama')
  await expect.poll(async () => (await machineNames(window)).join()).toMatch(/^train-llama-01,/)
})

test('the keyboard moves between areas, scrolls pages, and stays where its button disappeared', async ({
  start,
}) => {
  const { electron, window } = await start()
  const { keyboard } = window
  await lookAround(window)
  await machineNames(window)
  await resize(electron, narrow)

  await window.getByRole('grid', { name: 'Machines' }).focus()
  await keyboard.press('Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  const panel = panelOf(window, 'finetune-qwen')
  await expect(panel).toBeVisible()
  await pictureInBothThemes(electron, window, 'A row with the focus beside its panel')
  await keyboard.press('F6')
  await expect(panel.getByRole('tab', { selected: true })).toBeFocused()
  await keyboard.press('Shift+F6')
  await expect(window.getByRole('grid', { name: 'Machines' })).toBeFocused()

  // The buttons of a low dialog cover no field that has the focus.
  await keyboard.press('m')
  await window.getByRole('menuitem', { name: 'Save as template…' }).press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Save as template' })
  const never = dialog.getByRole('radio', { name: 'Never' })
  await tabTo(never)
  const footer = await dialog.locator('footer').boundingBox()
  const field = await never.boundingBox()
  if (!footer || !field) throw new Error('one of them is not shown')
  expect(field.y + field.height).toBeLessThanOrEqual(footer.y)
  await pictureInBothThemes(electron, window, 'The last field of a low dialog')
  await keyboard.press('Escape')

  await keyboard.press('ControlOrMeta+k')
  await keyboard.type('overview')
  await keyboard.press('Enter')
  await expect(window.getByRole('main')).toBeFocused()
  const waste = window.getByRole('region', { name: 'Waste in the sandbox' })
  await expect(waste).toBeVisible({ timeout: 90_000 })
  const scrolled = () => window.locator('.overview').evaluate(({ scrollTop }) => scrollTop)
  await keyboard.press('End')
  await expect.poll(scrolled).toBeGreaterThan(0)
  await keyboard.press('Home')
  await expect.poll(scrolled).toBe(0)

  await tabTo(waste.getByRole('button', { name: 'Delete several…' }))
  await keyboard.press('Enter')
  await expect(waste.getByRole('button', { name: 'Select all' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'The place of a button that disappeared')
  await keyboard.press('Tab')
  await expect(waste.getByRole('button', { name: 'Select all' })).toBeFocused()

  // An entry of the bell leads to a page, and the focus with it.
  await window.getByRole('button', { name: /^Alerts and notifications: / }).press('Enter')
  const alerts = window.getByRole('dialog', { name: 'Alerts' })
  await alerts.getByRole('button', { name: 'Show render-preview' }).press('Enter')
  await expect(panelOf(window, 'render-preview')).toBeVisible()
  await expect(window.getByRole('main')).toBeFocused()
})
