import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames } from './support/window'

test.use({ needs: ['ssh'] })

const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const gpu = (window: Page, model: string) => window.getByRole('radio', { name: new RegExp(`^${model}`) })
const nameField = (window: Page) => window.getByRole('textbox', { name: 'Name', exact: true })
const creations = (window: Page) => window.getByRole('list', { name: 'In progress' })
const makeKey = async (window: Page): Promise<void> => {
  await window.getByRole('button', { name: 'Generate a new key…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Generate a key' })
  await expect(dialog.getByLabel('File name')).not.toHaveValue('')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog).toBeHidden()
}
const orders = async (service: Sandbox) =>
  (await requestsTo(service)).filter((request) => request === 'POST /virtual-machines').length

test('a GPU sets defaults for the rest, another like the last takes two clicks, and three clicks order a machine @deep', async ({
  start,
  service,
}) => {
  test.slow()
  const { window, electron } = await start()
  await enter(window, service)
  await window.getByRole('button', { name: 'New machine' }).click()
  await expect(gpu(window, 'H100')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Creation begins with the GPU')
  await makeKey(window)
  await gpu(window, 'L40S').check()
  await expect(nameField(window)).toHaveValue('l40s-1')
  await expect(window.getByRole('combobox', { name: 'Image' })).toHaveValue(/.+/)
  const cost = window.getByRole('region', { name: 'Estimated cost' })
  await expect(cost.getByText('0.90 USD')).toBeVisible()
  await expect(cost.getByText(/^Usually running in/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'One press on a GPU')
  const scrolls = await window
    .locator('.scroller')
    .evaluateAll((boxes) => boxes.some((box) => box.scrollWidth > box.clientWidth))
  expect(scrolls).toBe(false)
  await window.getByRole('button', { name: 'Create machine' }).click({ clickCount: 3 })
  await expect(creations(window).getByText('Creating l40s-1')).toBeVisible()
  expect(await orders(service)).toBe(1)

  // Two clicks, from Machines.
  await window.getByRole('button', { name: 'Create another like l40s-1' }).click()
  await expect(nameField(window)).toHaveValue('l40s-2')
  await expect(gpu(window, 'L40S')).toBeChecked()
  await pictureInBothThemes(electron, window, 'Another like the last')
  await window.getByRole('button', { name: 'Create machine' }).click()
  await expect(creations(window).getByText('Creating l40s-2')).toBeVisible()
  expect(await orders(service)).toBe(2)

  // The create page and the palette open it too.
  await window.getByRole('button', { name: 'New machine' }).click()
  await window.getByRole('button', { name: /^Same as l40s-/ }).click()
  await expect(nameField(window)).toHaveValue('l40s-3')
  await window.keyboard.press('Control+K')
  await window.keyboard.type('another like')
  await expect(window.getByRole('option', { name: /^Create another like l40s-/ })).toBeVisible()
})

test('a machine is created with the keyboard only, from the GPU to Create', async ({ start, service }) => {
  const { window, electron } = await start()
  await enter(window, service)
  await window.getByRole('button', { name: 'New machine' }).focus()
  await window.keyboard.press('Enter')
  await expect(window.getByRole('textbox', { name: 'Filter GPUs' })).toBeFocused()
  await window.keyboard.type('a100 2x')
  await window.keyboard.press('Enter')
  await expect(gpu(window, 'A100')).toBeFocused()
  await window.keyboard.press('Tab')
  await expect(window.getByRole('row').filter({ hasText: 'a100-80g.2x' }).getByRole('radio')).toBeFocused()
  await window.keyboard.press('Tab')
  await expect(window.getByRole('radio', { name: /^(Oslo|Paris|Singapore)/, checked: true })).toBeFocused()
  await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Tab')
  await expect(nameField(window)).toBeFocused()
  await window.keyboard.press('Control+A')
  await window.keyboard.type('by-hand')
  await window.getByRole('button', { name: 'Generate a new key…' }).focus()
  await window.keyboard.press('Enter')
  await expect(
    window.getByRole('dialog', { name: 'Generate a key' }).getByLabel('File name'),
  ).not.toHaveValue('')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('dialog')).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'Created with the keyboard')
  await nameField(window).focus()
  await window.keyboard.press('Enter')
  await expect(creations(window).getByText('Creating by-hand')).toBeVisible()
  expect((await stateOf(service)).machines.filter(({ name }) => name === 'by-hand')).toHaveLength(1)
})
