import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { lookAround, machineNames, openMachine, panelOf, showTab } from './support/window'

/** Types like an input method, by the protocol of the developer tools. */
async function inputMethod(window: Page) {
  const session = await window.context().newCDPSession(window)
  return {
    compose: (text: string) =>
      session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      }),
    /** A key that the input method handles; Chromium reports it with key code 229. */
    key: async (key: string) => {
      for (const type of ['rawKeyDown', 'keyUp'] as const)
        await session.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 229 })
    },
    commit: (text: string) => session.send('Input.insertText', { text }),
    /** A key by its letter and its position, with Ctrl. */
    control: (key: string, code: string, keyCode: number) =>
      session.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        modifiers: 2,
        key,
        code,
        windowsVirtualKeyCode: keyCode,
      }),
  }
}

test('keys of an input method run nothing in the command palette @deep', async ({ start }) => {
  const { window } = await start()
  await lookAround(window)
  await machineNames(window)
  await window.keyboard.press('Control+k')
  const palette = window.getByRole('combobox', { name: 'Command palette' })
  await palette.waitFor()
  const method = await inputMethod(window)
  await method.compose('けんしゅう')
  const selected = await window.locator('[role=option][aria-selected=true]').textContent()
  for (const key of ['ArrowDown', 'Enter']) await method.key(key)
  await expect(palette).toBeVisible()
  expect(await window.locator('[role=option][aria-selected=true]').textContent()).toBe(selected)
  await method.commit('研修')
  await expect(palette).toHaveValue('研修')
})

test('keys of an input method change no tag @deep', async ({ start }) => {
  const { window } = await start()
  await lookAround(window)
  await openMachine(window, 'train-llama-01')
  const panel = panelOf(window, 'train-llama-01')
  await showTab(panel, 'Notes')
  const field = panel.getByLabel('Tags', { exact: true })
  const tags = panel.getByRole('button', { name: /^Remove tag/ })
  await field.fill('paid')
  await field.press('Enter')
  await expect(tags.last()).toHaveAccessibleName(/paid/)
  const before = await tags.count()
  const method = await inputMethod(window)
  await method.compose('けん')
  for (const key of ['Backspace', 'Enter']) await method.key(key)
  await expect(tags).toHaveCount(before)
  await method.commit('研修')
  await field.press('Enter')
  await expect(tags).toHaveCount(before + 1)
})

test('shortcuts work on a Russian keyboard layout', async ({ start }) => {
  const { window } = await start()
  await lookAround(window)
  await machineNames(window)
  const method = await inputMethod(window)
  await method.control('л', 'KeyK', 75)
  await expect(window.getByRole('combobox', { name: 'Command palette' })).toBeVisible()
})
