import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge } from './support/bridge'
import { enter } from './support/enter'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { machineRows, openMachine, showTab } from './support/window'

// Every connection is real.
const reading = { timeout: 60_000 }

test('the dialogs show the work that a stop or delete would end', async ({ start, service }, testInfo) => {
  const { electron, window } = await start()
  await enter(window, service)
  const name = 'train-llama-01'
  const panel = await openMachine(window, name)
  const choose = async (item: string): Promise<void> => {
    await panel.getByRole('button', { name: `Actions for ${name}` }).click()
    await window.getByRole('menu').getByRole('menuitem', { name: item }).click()
  }

  await choose('Delete…')
  const deleting = window.getByRole('dialog', { name: `Delete ${name}?` })
  const look = deleting.getByRole('region', { name: 'What would be lost' })
  await expect(look).toContainText('Wheelhouse can look over SSH')
  await pictureInBothThemes(electron, window, 'Permission to look before deleting')
  // The dialog does not wait for the look.
  await deleting.getByLabel(`Type ${name}`).fill(name)
  await expect(deleting.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled()
  await look.getByRole('button', { name: 'Only on this machine' }).focus()
  await window.keyboard.press('Enter')
  await expect(look).toContainText('/llama-train', reading)
  await expect(look).toContainText('3 uncommitted changes, 2 commits not pushed, 1 stash')
  await expect(look).toContainText('step-12000.pt')
  await expect(look).toContainText('On the GPUs')
  await expect(deleting.getByLabel(`Type ${name}`)).toHaveValue(name)
  await pictureInBothThemes(electron, window, 'Work that would be lost')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'Work that would be lost, narrow')
  await resize(electron, [1440, 900])

  const target = testInfo.outputPath('saved')
  await mkdir(target)
  await electron.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] })
  }, target)
  await look.getByRole('button', { name: /^Download .*llama-train$/ }).click()
  await expect
    .poll(async () => JSON.stringify(await askBridge(window, 'files.transfers', {})), reading)
    .toContain('llama-train')
  await expect
    .poll(() => readFile(join(target, 'llama-train/.git/HEAD'), 'utf8').catch(() => ''), reading)
    .toBe('ref: refs/heads/main\n')
  await expect(deleting).toBeVisible()

  // The branch and its remote are shown before anything is sent.
  await look.getByRole('button', { name: /^Push .*llama-train…$/ }).focus()
  await window.keyboard.press('Enter')
  const push = look.getByRole('region', { name: /^Push .*llama-train$/ })
  await expect(push).toContainText('To main on origin: git@git.example.com:lab/llama-train.git', reading)
  await expect(push.getByRole('combobox', { name: 'Branch' })).toContainText('main: 2 commits not pushed')
  await expect(push.getByRole('button', { name: 'Push', exact: true })).toBeInViewport({ ratio: 1 })
  await pictureInBothThemes(electron, window, 'A branch before it is pushed')
  expect(await violations(electron, window)).toEqual([])
  await push.getByRole('button', { name: 'Push', exact: true }).focus()
  await window.keyboard.press('Enter')
  // The dialog stays open, and looks again after the push.
  await expect(look).toContainText('3 uncommitted changes, 1 stash', reading)
  await expect(look).not.toContainText('not pushed')
  await pictureInBothThemes(electron, window, 'Work that would be lost after a push')
  await expect(deleting).toBeVisible()
  await window.keyboard.press('Escape')
  await expect(deleting).toBeHidden()
  await showTab(panel, 'Jobs')
  const jobs = panel.getByRole('list', { name: 'Jobs' })
  await expect(jobs).toContainText('git -C')
  await expect(jobs).toContainText('Finished')

  await choose('Stop…')
  const stopping = window.getByRole('dialog', { name: `Stop ${name}?` })
  const programs = stopping.getByRole('region', { name: 'What a stop would interrupt' })
  await expect(programs).toContainText('On the GPUs', reading)
  await expect(programs).not.toContainText('llama-train')
  await pictureInBothThemes(electron, window, 'Programs that a stop would interrupt')
  await expect(programs.getByRole('button', { name: 'Open terminal', exact: true })).toBeVisible()
})

test('a look that fails shows its reason, and several machines are read in one dialog @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const { sshPort: port, identityFile } = service
  // Nothing listens there.
  await askBridge(window, 'ssh.configureAccount', { account, port: 1, identityFile })
  await askBridge(window, 'ssh.setConsents', { account, machine: null, answers: { look: true } })
  const rows = machineRows(window).filter({ hasText: 'Running' })
  for (const index of [0, 1]) await rows.nth(index).getByRole('checkbox').click()
  const bar = window.getByRole('toolbar', { name: 'Selected machines' })
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const deleting = window.getByRole('dialog', { name: 'Delete 2 machines?' })
  const look = deleting.getByRole('region', { name: 'What would be lost' })
  await expect(look.getByText(/^Could not look at .+: /)).toHaveCount(2, reading)
  await pictureInBothThemes(electron, window, 'Machines that could not be read')
  await askBridge(window, 'ssh.configureAccount', { account, port, identityFile })
  await look.getByRole('button', { name: 'Look again' }).first().click()
  await expect(look.getByText(/^Could not look at .+: /)).toHaveCount(1, reading)
  await pictureInBothThemes(electron, window, 'Several machines before they are deleted')
})
