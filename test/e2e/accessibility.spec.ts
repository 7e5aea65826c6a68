import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
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

test('the keyboard reaches a machine from the first run without a mouse', async ({ start }) => {
  const { window } = await start()
  const { keyboard } = window
  const focusOn = async (wanted: Locator) => {
    await expect(wanted).toBeVisible()
    for (let step = 0; step < 60; step += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return
      await keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${wanted.toString()}`)
  }

  await focusOn(window.getByRole('button', { name: 'Look around first' }))
  await keyboard.press('Enter')
  await machineNames(window)

  const grid = window.getByRole('grid', { name: 'Machines' })
  await focusOn(grid)
  await keyboard.press('Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  const panel = panelOf(window, 'finetune-qwen')
  await expect(panel).toBeVisible()
  await focusOn(panel.getByRole('button', { name: /^Connect/ }))
  await keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await keyboard.press('/')
  await keyboard.type('llama')
  await expect.poll(async () => (await machineNames(window)).join()).toMatch(/^train-llama-01,/)
})
