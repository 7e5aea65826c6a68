import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { pictureInBothThemes } from './support/pictures'
import { narrow, resize } from './support/narrow'
import {
  chooseToConnect,
  connect,
  machineNames,
  openMachine,
  openPage,
  panelOf,
  showTab,
} from './support/window'

const grid = (window: Page) => window.getByRole('grid', { name: 'Machines' })
const filter = (window: Page) => window.getByRole('textbox', { name: 'Filter machines' })
const scrollTop = (window: Page) => grid(window).evaluate((element) => element.scrollTop)
const selectedRows = (window: Page) => grid(window).getByRole('checkbox', { checked: true })

test('the list of machines is as the user left it, after other pages and a restart', async ({
  start,
  startService,
}) => {
  const first = await start()
  const { electron, window } = first
  await chooseToConnect(window)
  await connect(window, await startService({ machines: 60 }))
  await machineNames(window)
  await resize(electron, narrow)

  await window.getByRole('columnheader', { name: 'State' }).getByRole('button').click()
  await filter(window).fill('a')
  const rows = grid(window).locator('[role=row][aria-selected]')
  await rows.nth(1).locator('.choose').click()
  await rows.nth(2).locator('.choose').click()
  const [name = ''] = await machineNames(window)
  const panel = await openMachine(window, name)
  await showTab(panel, 'Notes')
  /** A click on a row that is partly hidden scrolls it into view. */
  const scrollDown = async (): Promise<void> => {
    await grid(window).evaluate((element) => element.scrollTo(0, 50))
    await expect.poll(() => scrollTop(window)).toBe(50)
  }
  await scrollDown()

  const isAsLeft = async (page: Page): Promise<void> => {
    await expect(filter(page)).toHaveValue('a')
    await expect(page.getByRole('columnheader', { name: 'State' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(panelOf(page, name).getByRole('tab', { name: 'Notes' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(selectedRows(page)).toHaveCount(2)
    await expect.poll(() => scrollTop(page)).toBe(50)
  }
  await isAsLeft(window)

  await openPage(window, 'Settings')
  await openPage(window, 'Machines')
  await isAsLeft(window)

  await window.getByRole('button', { name: 'Compare load' }).click()
  await expect(window.getByRole('heading', { name: 'Compare 2 machines' })).toBeVisible()
  await window.keyboard.press('Escape')
  await isAsLeft(window)

  // Another machine opens in the same tab.
  const other = (await machineNames(window)).find((candidate) => candidate !== name) ?? ''
  await (await openMachine(window, other)).getByRole('tab', { name: 'Notes', selected: true }).waitFor()
  await openMachine(window, name)
  await scrollDown()
  await isAsLeft(window)
  await pictureInBothThemes(electron, window, 'A list as the user left it')
  await first.quit()

  const again = await start()
  await resize(again.electron, narrow)
  await machineNames(again.window)
  await isAsLeft(again.window)
  await pictureInBothThemes(again.electron, again.window, 'A list after a restart')
})
