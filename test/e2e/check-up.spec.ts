import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { askBridge, machineId } from './support/bridge'
import { enter } from './support/enter'
import { control } from '../fixtures/sandbox-control'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { openMachine } from './support/window'

// Every connection is real.
const reading = { timeout: 90_000 }

test('a machine is checked, its problems are shown, and the report is saved', async ({
  start,
  service,
  place,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const machine = await machineId(window, 'train-llama-01')

  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  await window.keyboard.press('ArrowRight')
  await expect(panel.getByText('Not checked yet.')).toBeVisible()
  await panel.getByText('Show the commands').click()
  await expect(panel.getByText(/dd if=\/dev\/zero/)).toBeVisible()
  await panel.getByText('Show the commands').click()
  await pictureInBothThemes(electron, window, 'A machine that was never checked')
  await panel.getByRole('button', { name: 'Check this machine' }).focus()
  await window.keyboard.press('Enter')
  const results = panel.getByRole('region', { name: 'Check-up' })
  await expect(results).toContainText('Number of GPUs', reading)
  await expect(results).toContainText('Only root can read this on this machine.')
  await pictureInBothThemes(electron, window, 'A machine without problems')

  await control(service, 'PUT', `/machines/${machine}/faults`, {
    faults: ['slow-pcie', 'full-disk', 'ecc-errors', 'pending-remap', 'recovery-action', 'hot'],
  })
  await panel.getByRole('button', { name: 'Check again' }).click()
  await expect(results.getByRole('status')).toContainText(/\d+ problems/, reading)
  await expect(results).toContainText('The link is slower than the GPU supports.')
  await expect(results).toContainText('Memory rows are waiting to be replaced.')
  await pictureInBothThemes(electron, window, 'A machine with problems')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'A machine with problems, narrow')

  const file = join(place.home, 'check-up.txt')
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, file)
  await panel.getByRole('button', { name: 'Save as text' }).click()
  await expect(window.getByText(/Saved check-up/)).toBeVisible()
  expect(readFileSync(file, 'utf8')).toContain('[Problem] PCIe link: PCIe 3 × 8 (Expected: PCIe 5 × 16)')
  await panel.getByRole('combobox', { name: 'Check-up' }).selectOption({ index: 1 })
  await expect(results).not.toContainText('The link is slower')
})

test('a full disk appears below the GPUs and raises an alert @deep', async ({ start, service }) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const machine = await machineId(window, 'train-llama-01')
  await control(service, 'PUT', `/machines/${machine}/faults`, { faults: ['full-disk', 'pending-remap'] })
  await askBridge(window, 'ssh.setConsents', { account, machine: null, answers: { gpu: true } })

  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  const health = panel.getByRole('region', { name: 'Machine', exact: true })
  await expect(health).toContainText(/\(97 %\)/, reading)
  await expect(health).toContainText('Nearly full')
  await expect(health).toContainText('GPU memory rows are waiting to be replaced.')
  await health.scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'A full disk')

  await window.getByRole('button', { name: /^Alerts and notifications: \d+/ }).focus()
  await window.keyboard.press('Enter')
  const alerts = window.getByRole('list', { name: 'Alerts' })
  await expect(alerts).toContainText('The disk of train-llama-01 is 97 % full')
  await expect(alerts).toContainText('train-llama-01: GPU memory needs a reset')
  await pictureInBothThemes(electron, window, 'Alerts of the health of a machine')
})
