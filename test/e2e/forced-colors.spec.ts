import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { pictureOfWindow } from './support/pictures'
import { lookAround, machineNames, openMachine, panelOf } from './support/window'

const background = (element: Locator) => element.evaluate((node) => getComputedStyle(node).backgroundColor)

test('selection and marks are distinguishable with the system’s own colours', async ({ start }) => {
  const { window } = await start()
  await window.emulateMedia({ forcedColors: 'active' })
  await lookAround(window)
  await machineNames(window)
  const machines = window.getByRole('grid', { name: 'Machines' })
  const running = machines.locator('.dot.running').first()
  expect(await background(running)).not.toBe(await background(machines))

  await openMachine(window, 'train-llama-01')
  const tabs = panelOf(window, 'train-llama-01').getByRole('tab')
  const chosen = panelOf(window, 'train-llama-01').locator('[role=tab][aria-selected=true]')
  expect(await background(chosen)).not.toBe(await background(tabs.last()))
  await pictureOfWindow(window, 'Forced colours machine')

  await window.keyboard.press('Control+k')
  const options = window.getByRole('dialog').getByRole('option')
  await options.first().waitFor()
  expect(await background(options.first())).not.toBe(await background(options.nth(1)))
  await pictureOfWindow(window, 'Forced colours palette')
  await window.keyboard.press('Escape')

  await window.getByRole('link', { name: 'Billing' }).click()
  const marks = window.locator('.legend .mark')
  await marks.first().waitFor()
  // An estimate has the colour of charges, but is fainter.
  const colors = await marks.evaluateAll((all) =>
    all.map((mark) => {
      const { backgroundColor, opacity } = getComputedStyle(mark)
      return `${backgroundColor} ${opacity}`
    }),
  )
  expect(new Set(colors).size).toBe(colors.length)
  await pictureOfWindow(window, 'Forced colours billing')
})
