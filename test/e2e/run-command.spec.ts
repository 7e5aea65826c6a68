import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('one command runs on all selected machines, and closing asks first while it runs', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  await window.getByRole('checkbox', { name: 'Select all' }).click()
  const bar = window.getByRole('toolbar', { name: 'Selected machines' })
  await resize(electron, narrow)
  const middles = await Promise.all(
    [bar.getByRole('status'), bar.getByRole('button', { name: 'Clear selection' })].map(async (one) => {
      const box = await one.boundingBox()
      return box ? box.y + box.height / 2 : 0
    }),
  )
  expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(6)
  await pictureInBothThemes(electron, window, 'Selected machines in a narrow window')
  await resize(electron, [1360, 860])
  await window.getByRole('button', { name: 'Run a command…' }).click()
  const dialog = window.getByRole('dialog', { name: /^Run a command on \d+ machines$/ })
  const typed = dialog.getByLabel('Command')
  await expect(typed).toBeFocused()
  await typed.fill('hostname; nvidia-smi -L')
  await pictureInBothThemes(electron, window, 'A command for many machines')
  await window.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ succeeded$/, { timeout: 30_000 })
  const named = (machine: string) => dialog.getByRole('listitem').filter({ hasText: machine })
  await expect(named('train-llama-01')).toContainText('Succeeded')
  await expect(dialog.getByRole('group', { name: 'Output of train-llama-01' })).toContainText('GPU 0:')
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'A command on many machines')

  await dialog.getByRole('button', { name: 'Run another' }).click()
  await expect(typed).toBeFocused()
  await typed.fill('echo began; sleep 600')
  await window.keyboard.press('Enter')
  await expect(dialog.getByRole('group', { name: 'Output of train-llama-01' })).toContainText('began', {
    timeout: 30_000,
  })
  await window.keyboard.press('Escape')
  const asking = window.getByRole('dialog', { name: 'Cancel the command?' })
  await expect(asking).toBeVisible()
  await pictureInBothThemes(electron, window, 'Before a running command is left')
  await asking.getByRole('button', { name: 'Keep running' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel all' }).click()
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ cancelled$/, { timeout: 30_000 })
  await window.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
