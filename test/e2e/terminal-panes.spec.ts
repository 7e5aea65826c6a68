import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { pictureInBothThemes } from './support/pictures'
import { endSearch, occurrences, typeLine } from './support/terminal'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('a tab is named and split, and each pane is a separate session @deep', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  await (await openMachine(window, 'train-llama-01')).getByRole('button', { name: 'Open here' }).click()
  await expect.poll(() => occurrences(window, '@train-llama-01:~')).toBe('1 of 1')
  await endSearch(window)

  // F2 belongs to programs; only on the tab it is the page's.
  const typed = (number: number, count = 2) =>
    window.getByRole('region', { name: `Terminal ${String(number)} of ${String(count)}` }).locator('textarea')
  await window.keyboard.press('F2')
  await expect(typed(1, 1)).toBeFocused()
  await window.keyboard.press('Control+Shift+L')
  await window.keyboard.press('F2')
  const naming = window.getByRole('dialog', { name: 'Rename tab' })
  await naming.getByRole('textbox', { name: 'Name' }).fill('Training\u202E')
  await pictureInBothThemes(electron, window, 'A tab is renamed')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('tab')).toHaveText('Training\uFFFD')
  await expect(typed(1, 1)).toBeFocused()
  await window.getByRole('tab').dblclick()
  await naming.getByRole('textbox', { name: 'Name' }).fill('Training')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('tab')).toHaveText('Training')

  await window.keyboard.press('Control+Shift+D')
  await expect(typed(2)).toBeFocused()
  await expect.poll(() => occurrences(window, '@train-llama-01:~')).toBe('1 of 1')
  await endSearch(window)
  await expect(typed(2)).toBeFocused()
  await typeLine(window, 'echo second')
  await expect.poll(() => occurrences(window, 'second')).toMatch(/of 2$/)
  await endSearch(window)
  await window.keyboard.press('Control+Tab')
  await expect(typed(1)).toBeFocused()
  expect(await occurrences(window, 'second')).toBe('No match')
  await endSearch(window)
  await window.keyboard.press('Control+Shift+B')
  await expect(typed(2, 3)).toBeFocused()
  await expect(window.getByRole('tab')).toHaveCount(1)
  await pictureInBothThemes(electron, window, 'A tab in three panes')
  expect(await violations(electron, window)).toEqual([])

  // A divider is moved by the keyboard and by the pointer.
  const width = async (number: number) =>
    (await window.getByRole('region', { name: `Terminal ${String(number)} of 3` }).boundingBox())?.width ?? 0
  const before = await width(1)
  const upright = window.getByRole('separator').first()
  await upright.focus()
  await upright.press('ArrowLeft')
  await upright.press('ArrowLeft')
  await expect(upright).toHaveAttribute('aria-valuenow', '40')
  await expect.poll(() => width(1)).toBeLessThan(before * 0.85)
  const line = await upright.boundingBox()
  await window.mouse.move((line?.x ?? 0) + 4, (line?.y ?? 0) + 40)
  await window.mouse.down()
  await window.mouse.move((line?.x ?? 0) + 204, (line?.y ?? 0) + 40, { steps: 4 })
  await window.mouse.up()
  await expect.poll(() => width(1)).toBeGreaterThan(before)
  await upright.dblclick()
  await expect(upright).toHaveAttribute('aria-valuenow', '50')

  // A reloaded window has the same tab, and content after its first paint takes no focus.
  await window.addInitScript(() => {
    const idle = new Promise((resolve) => addEventListener('idle', resolve, { once: true }))
    globalThis.requestIdleCallback = (callback) => {
      void idle.then(() => callback({ didTimeout: false, timeRemaining: () => 50 }))
      return 0
    }
  })
  await window.reload()
  await expect(window.getByRole('region', { name: /^Terminal \d of 3$/ })).toHaveCount(3)
  await expect(window.getByRole('tab')).toHaveText(/^Training/)
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(760, 700))
  await pictureInBothThemes(electron, window, 'Three panes in a narrow window')

  // An ended pane shows that in its place; the other panes continue.
  await typed(1, 3).focus()
  await window.keyboard.type('ex')
  await window.evaluate(() => dispatchEvent(new Event('idle')))
  await window.keyboard.press('Control+Shift+D')
  await expect(window.getByText('There isn’t enough room here for another terminal.')).toBeVisible()
  await typeLine(window, 'it')
  await expect(window.getByText(/^Session ended \(exit code \d+\)\.$/)).toHaveCount(1)
  await pictureInBothThemes(electron, window, 'One of three panes has ended')
  await window.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(window.getByRole('region', { name: /^Terminal \d of 2$/ })).toHaveCount(2)
  await expect(window.getByRole('tab')).toHaveText(/^Training/)
  await window.getByRole('button', { name: 'Close terminal 1' }).click()
  const asked = window.getByRole('dialog', { name: 'Close this terminal?' })
  await asked.getByRole('button', { name: 'Close terminal' }).click()
  await expect(typed(1, 1)).toBeFocused()
  await window.keyboard.type('exit')
  await window.keyboard.press('Enter')
  await expect(window.getByText(/^Session ended/)).toBeVisible()
})

test('tabs come back after a restart, reconnect, and are forgotten once they are closed', async ({
  start,
}) => {
  const first = await start()
  await lookAround(first.window)
  await openPage(first.window, 'Machines')
  await machineNames(first.window)
  await (await openMachine(first.window, 'train-llama-01')).getByRole('button', { name: 'Open here' }).click()
  await expect.poll(() => occurrences(first.window, '@train-llama-01:~')).toBe('1 of 1')
  await endSearch(first.window)
  await first.window.getByRole('tab').dblclick()
  const naming = first.window.getByRole('dialog', { name: 'Rename tab' })
  await naming.getByRole('textbox', { name: 'Name' }).fill('Training')
  await first.window.keyboard.press('Enter')
  await first.window.getByRole('button', { name: 'Split right' }).click()
  const second = (window: Page) => window.getByRole('region', { name: 'Terminal 2 of 2' })
  await expect(second(first.window).locator('textarea')).toBeFocused()
  await first.quit()

  const { window, quit } = await start()
  await openPage(window, 'Machines')
  await machineNames(window)
  await openPage(window, 'Terminals')
  await expect(window.getByRole('tab')).toHaveText('Training2')
  const restored = window.getByText('Not connected since Wheelhouse was restarted.')
  await expect(restored).toHaveCount(2)
  await second(window).getByRole('button', { name: 'Reconnect' }).click()
  await expect(restored).toHaveCount(1)
  await second(window).locator('textarea').focus()
  await expect.poll(() => occurrences(window, '@train-llama-01:~')).toBe('1 of 1')
  await endSearch(window)
  await window.getByRole('tab').focus()
  await window.keyboard.press('Delete')
  await window
    .getByRole('dialog')
    .getByRole('button', { name: /^Close/ })
    .last()
    .click()
  await expect(window.getByRole('tab')).toHaveCount(0)
  await quit()

  const third = await start()
  await openPage(third.window, 'Terminals')
  await expect(third.window.getByRole('tab')).toHaveCount(0)
})
