import { expect, test } from './fixtures'
import { askBridge, machineId } from './support/bridge'
import { enter } from './support/enter'
import { control } from '../fixtures/sandbox-control'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'

// Every connection is real.
const reading = { timeout: 60_000 }

test('all GPUs are on one page, filtered, sorted and in money', async ({ start, service }) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const idle = await machineId(window, 'notebook-anna')
  await control(service, 'PUT', `/machines/${idle}/gpu`, { profile: 'idle' })

  await window.getByRole('link', { name: 'GPUs' }).click()
  const page = window.getByRole('region', { name: 'GPUs' })
  const tiles = page.getByRole('list', { name: 'GPUs' }).getByRole('link')
  const totals = page.getByRole('group', { name: 'GPUs by use' })
  await expect(tiles.first()).toContainText('GPUs not monitored')
  await expect(page.getByRole('link', { name: /\d+ machines aren’t monitored/ })).toBeVisible()
  await pictureInBothThemes(electron, window, 'GPUs that are not monitored')

  await askBridge(window, 'ssh.setConsents', { account, machine: null, answers: { gpu: true } })
  const group = (name: RegExp) => page.getByRole('radio', { name })
  await expect(totals).toContainText(/Working\s*[1-9]\d* GPU/, reading)
  await expect(totals).toContainText(/Pausing\s*[1-9]\d* GPU/, reading)
  await expect(totals).toContainText(/USD\/h|USD per hour/)
  await expect
    .poll(async () => (await askBridge(window, 'gpu.account', { account })).pending, reading)
    .toBe(0)
  await expect(page.getByRole('link', { name: /aren’t monitored/ })).toBeHidden()
  await pictureInBothThemes(electron, window, 'All GPUs')

  await group(/^Pausing/).click()
  await expect(tiles.filter({ hasText: 'notebook-anna' })).toHaveCount(1)
  await pictureInBothThemes(electron, window, 'GPUs that pause')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Power')

  // The filter outlives the page and the window.
  await window.getByRole('link', { name: /^Machines/ }).click()
  await window.getByRole('link', { name: 'GPUs' }).click()
  await expect(group(/^Pausing/)).toBeChecked()
  await window.reload()
  await window.getByRole('link', { name: 'GPUs' }).click()
  await expect(group(/^Pausing/)).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('power')

  // By keyboard: the groups, the filter, the tiles, and the machine behind a tile.
  await group(/^Pausing/).focus()
  await window.keyboard.press('ArrowLeft')
  await expect(group(/^Working/)).toBeChecked()
  await window.keyboard.press('ArrowLeft')
  await window.keyboard.press('/')
  await window.keyboard.type('train-llama-01')
  await expect(tiles).toHaveCount(8)
  await window.keyboard.press('ArrowDown')
  await expect(tiles.first()).toBeFocused()
  await window.keyboard.press('ArrowRight')
  await expect(tiles.nth(1)).toBeFocused()
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'GPUs, narrow')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('tab', { name: 'GPU', exact: true })).toHaveAttribute('aria-selected', 'true')
})
