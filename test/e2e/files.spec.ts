import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { expectWithin, narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('files of a machine are listed, uploaded, renamed, downloaded and deleted', async ({ start, place }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'Files' }).click()
  const allow = panel.getByRole('button', { name: 'Allow on all machines' })
  // The explanations are longer than the panel.
  await expect(allow).toBeInViewport({ ratio: 1 })
  await allow.click()
  const list = panel.getByRole('grid', { name: 'Files in /home/ubuntu' })
  await expect(list.getByRole('row').nth(1)).toBeVisible()

  const [source, target] = [
    join(place.userData, '..', 'notes of today.txt'),
    join(place.userData, '..', 'copy.txt'),
  ]
  await writeFile(source, 'what happened\n'.repeat(20_000))
  await electron.evaluate(
    ({ dialog }, [from, to]) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [from ?? ''] })
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: to ?? '' })
    },
    [source, target],
  )
  await panel.getByRole('button', { name: 'Upload', exact: true }).click()
  const transfers = panel.getByRole('region', { name: 'Transfers' })
  await expect(transfers.getByText(/Complete/)).toBeVisible()
  const row = list.getByRole('row', { name: /notes of today/ })
  await expect(row).toBeVisible()
  // A file created by the page, and a synthetic drop, name no file of this computer.
  await window.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], '/etc/hostname'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
  }`)
  const made = { account: await selectedAccount(window), machine: await machineId(window, 'train-llama-01') }
  const upload = { ...made, folder: '/home/ubuntu', from: 'dropped' } as const
  expect(await askBridge(window, 'files.upload', upload)).toBeNull()
  await pictureInBothThemes(electron, window, 'Files of a machine')
  expect(await violations(electron, window)).toEqual([])

  await row.click({ button: 'right' })
  await window.getByRole('menuitem', { name: 'Rename…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Rename notes of today.txt' })
  // Typing replaces the name and keeps its suffix.
  await expect(dialog.getByLabel('New name')).toBeFocused()
  await window.keyboard.type('notes')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  const renamed = list.getByRole('row', { name: /notes\.txt/ })
  await expect(renamed).toBeVisible()

  await renamed.click({ button: 'right' })
  await window.getByRole('menuitem', { name: 'Download…' }).click()
  await expect(transfers.getByText(/Complete/)).toHaveCount(2)
  expect(await readFile(target, 'utf8')).toBe(await readFile(source, 'utf8'))

  await renamed.click({ button: 'right' })
  await window.getByRole('menuitem', { name: 'Delete…' }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(renamed).toHaveCount(0)

  // Names that are too long show their end, with the suffix.
  const long = join(place.userData, '..', 'checkpoint-of-the-evaluation-step-000120000.safetensors')
  await writeFile(long, 'weights')
  await electron.evaluate(({ dialog }, from) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [from] })
  }, long)
  await panel.getByRole('button', { name: 'Upload', exact: true }).click()
  const cell = list.getByRole('row', { name: /-000120000\.safetensors/ }).locator('.cell.name')
  await resize(electron, narrow)
  await expectWithin(cell.locator('.short[data-end="000.safetensors"]'), cell)
  await expect(cell.getByTitle('checkpoint-of-the-evaluation-step-000120000.safetensors')).toBeVisible()
  await pictureInBothThemes(electron, window, 'A long name of a file')
})
