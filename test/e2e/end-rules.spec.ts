import { expect, test } from './fixtures'
import { askBridge } from './support/bridge'
import { enter } from './support/enter'
import { requestsTo } from '../fixtures/sandbox-control'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { machineRows, openMachine, showTab } from './support/window'

// Every connection is real.
const reading = { timeout: 90_000 }

test('a machine is armed for deletion, warned of, extended, and held back because of unsaved work', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const name = 'train-llama-01'
  const panel = await openMachine(window, name)
  await showTab(panel, 'Cost')
  await panel.getByRole('button', { name: 'End automatically…' }).click()
  const dialog = window.getByRole('dialog', { name: `End ${name} automatically` })
  await expect(dialog).toContainText('This computer must be awake')
  await pictureInBothThemes(electron, window, 'Arming a deletion')
  await dialog.getByRole('radio', { name: 'Stop', exact: true }).click()
  await dialog.getByRole('radio', { name: 'When idle', exact: true }).click()
  await expect(dialog).toContainText('Stopping doesn’t stop billing')
  await expect(dialog).toContainText('To end the cost, select Delete.')
  await pictureInBothThemes(electron, window, 'Arming a stop of an idle machine')
  await dialog.getByRole('radio', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('radio', { name: 'After hours', exact: true }).click()
  await dialog.getByLabel('Hours').fill('0.2')
  await expect(dialog.getByRole('button', { name: 'Arm deletion' })).toBeDisabled()
  await dialog.getByLabel(`Type ${name}`).fill(name)
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

  // Fewer than 15 minutes are left, so the notice is shown at once.
  const notice = panel.getByRole('region', { name: 'Automatic end' })
  await expect(notice).toContainText(/Deleted in \d+ min/)
  const row = machineRows(window).filter({ hasText: name })
  await expect(row).toContainText(/Deleted in \d+ min/)
  await pictureInBothThemes(electron, window, 'A countdown to a deletion')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'A countdown to a deletion, narrow')
  await notice.getByRole('button', { name: 'Extend 1 hour' }).click()
  await expect(notice).toContainText(/Deleted in 1 h/)
  await expect(notice).toBeInViewport({ ratio: 1 })
  await pictureInBothThemes(electron, window, 'An armed end in the Cost tab, narrow')
  await notice.getByRole('button', { name: 'Extend 1 hour' }).click()
  await expect(notice).toContainText(/Deleted in 2 h/)

  // The user ends it now: the last look finds unsaved work.
  const [rule] = await askBridge(window, 'endRules.list', { account })
  await askBridge(window, 'endRules.now', { account, rule: rule?.id ?? '' })
  await expect(notice).toContainText('There is work that would be lost', reading)
  await pictureInBothThemes(electron, window, 'A deletion that was held back')
  expect((await requestsTo(service)).filter((one) => one.startsWith('DELETE '))).toEqual([])
  await notice.getByRole('button', { name: 'Keep machine' }).focus()
  await window.keyboard.press('Enter')
  await expect(row).not.toContainText('Not deleted')
  expect(await askBridge(window, 'endRules.list', { account })).toEqual([])
})
