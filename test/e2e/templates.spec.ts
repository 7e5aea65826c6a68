import { readFile, writeFile } from 'node:fs/promises'
import type { ElectronApplication, Page } from '@playwright/test'
import type { Template } from '../../src/shared/bridge/template'
import { expect, test } from './fixtures'
import { control, requestsTo } from '../fixtures/sandbox-control'
import { violations } from './support/accessibility'
import { answerSaveDialog } from './support/dialogs'
import { askBridge } from './support/bridge'
import { enter } from './support/enter'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { machineRows, panelOf, showTab } from './support/window'

test.use({ needs: ['ssh'] })

// Lists are read every few seconds, and SSH is tried again after up to 12 seconds at first.
const settling = { timeout: 90_000 }
const source = 'train-llama-01'

const pass = (service: Sandbox, seconds: number) => control(service, 'POST', '/clock', { advance: seconds })
const posts = async (service: Sandbox, path: RegExp) =>
  (await requestsTo(service)).filter((request) => request.startsWith('POST ') && path.test(request)).length
const answerOpenDialog = (electron: ElectronApplication, path: string) =>
  electron.evaluate(({ dialog }, from) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [from] })
  }, path)
const templates = (window: Page) => window.getByRole('list', { name: 'Templates' })
const plan = (window: Page) => window.getByRole('region', { name: /^From template / })
const progress = (window: Page) =>
  window
    .getByRole('list', { name: 'In progress' })
    .getByRole('listitem')
    .filter({ has: window.getByRole('list', { name: 'Machines from templates' }) })

/** Fills in a template in its dialog: commands, and a deletion after 8 hours. */
async function fillIn(window: Page, name: string): Promise<void> {
  const dialog = window.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByLabel('Template name').fill(name)
  await dialog.getByLabel('Machine name').fill('train-again')
  await dialog
    .getByLabel('Commands when ready')
    .fill('echo trained again; export HF_TOKEN=hf_abcdefghijklmnop')
  await dialog.getByRole('radio', { name: 'Delete', exact: true }).check()
  await expect(dialog.getByLabel('Hours after creation')).toHaveValue('8')
}

test('a machine is saved as a template, and created from it once, by mouse', async ({ start, service }) => {
  test.slow()
  await control(service, 'POST', '/clock', { held: true })
  const { electron, window } = await start()
  await enter(window, service)
  await machineRows(window).filter({ hasText: source }).click({ button: 'right' })
  await window.getByRole('menuitem', { name: 'Save as template…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Save as template' })
  await expect(dialog.getByLabel('Template name')).toHaveValue(source)
  await fillIn(window, 'Training')
  await pictureInBothThemes(electron, window, 'A machine as a template')
  expect(await violations(electron, window)).toEqual([])
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(dialog).toBeHidden()

  await window.getByRole('button', { name: 'Create from template…' }).click()
  await pictureInBothThemes(electron, window, 'Menu of templates')
  await window.getByRole('menuitem', { name: 'Create from Training' }).click()
  await expect(window.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('train-again')
  await expect(window.getByText(/^The SSH key .* isn’t on this computer/)).toBeVisible()
  await window.getByRole('button', { name: 'Generate a new key…' }).click()
  const generating = window.getByRole('dialog', { name: 'Generate a key' })
  await expect(generating.getByLabel('File name')).not.toHaveValue('')
  await generating.getByRole('button', { name: 'Generate' }).click()
  await expect(generating).toBeHidden()
  await expect(window.getByText(/^The SSH key .* isn’t on this computer/)).toHaveCount(0)

  await window.getByRole('button', { name: 'Create machine' }).click()
  await expect(plan(window).getByText('Allow SSH, or leave the commands out.')).toBeVisible()
  await plan(window)
    .getByRole('checkbox', { name: /^Use SSH on this machine/ })
    .check()
  await plan(window).getByRole('checkbox', { name: 'Arm the automatic end' }).check()
  await window.getByRole('button', { name: 'Create machine' }).click()
  await expect(plan(window).getByText('Type the machine’s name').first()).toBeVisible()
  expect(await posts(service, /virtual-machines$/)).toBe(0)
  await plan(window)
    .getByLabel(/^Type .*train-again/)
    .fill('train-again')
  await plan(window).scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Form from a template')
  await resize(electron, narrow)
  await pictureOfWindow(window, 'Form from a template, narrow')
  await resize(electron, [1440, 900])
  expect(await violations(electron, window)).toEqual([])
  await window.getByRole('button', { name: 'Create machine' }).click()

  const panel = panelOf(window, 'train-again')
  await expect(panel).toBeVisible(settling)
  await expect(progress(window)).toContainText('From template Training', settling)
  await expect(progress(window)).toHaveCount(1)
  await expect(progress(window)).toContainText('train-again')
  await expect(progress(window)).toContainText('Automatic end: done', settling)
  await pictureInBothThemes(electron, window, 'Work of a template')
  await expect(machineRows(window).filter({ hasText: 'train-again' })).toContainText('Deleted in')
  for (let seconds = 0; seconds < 240; seconds += 40) await pass(service, 40)
  await expect(progress(window)).toHaveCount(0, settling)
  await showTab(panel, 'Jobs')
  const jobs = panel.getByRole('list', { name: 'Jobs' })
  await expect(jobs).toContainText('echo trained again', settling)
  await pictureInBothThemes(electron, window, 'Job of a template')
  expect(await posts(service, /virtual-machines( |$)/)).toBe(1)
})

test('with the keyboard only: saved from the form, exported without secrets, imported, and deleted with undo', async ({
  start,
  service,
}, testInfo) => {
  test.slow()
  const { electron, window } = await start()
  await enter(window, service)
  const { keyboard } = window
  await window.getByRole('button', { name: 'New machine' }).focus()
  await keyboard.press('Enter')
  await expect(window.getByRole('radio', { name: /^H100/ })).toBeVisible()
  await window.getByRole('radio', { name: /^H100/ }).focus()
  await keyboard.press('Space')
  await window.getByRole('button', { name: 'Save as template…' }).focus()
  await keyboard.press('Enter')
  await fillIn(window, 'From the form')
  await window.getByRole('button', { name: 'Save template' }).focus()
  await keyboard.press('Enter')
  await expect(window.getByRole('dialog')).toHaveCount(0)

  await keyboard.press('Escape')
  await window.getByRole('button', { name: 'Create from template…' }).focus()
  await keyboard.press('Enter')
  await keyboard.press('End')
  await keyboard.press('Enter')
  await expect(templates(window)).toContainText('From the form')
  await pictureInBothThemes(electron, window, 'Templates')
  expect(await violations(electron, window)).toEqual([])

  const file = testInfo.outputPath('shared.json')
  await answerSaveDialog(electron, file)
  const openMenu = async (item: string): Promise<void> => {
    await templates(window).getByRole('button', { name: 'Actions for From the form', exact: true }).focus()
    await keyboard.press('Enter')
    await expect(window.getByRole('menu')).toBeVisible()
    for (let presses = 0; presses < 6; presses += 1) {
      if (
        await window
          .getByRole('menuitem', { name: item, exact: true })
          .evaluate((one) => one === document.activeElement)
      )
        break
      await keyboard.press('ArrowDown')
    }
    await keyboard.press('Enter')
  }
  await openMenu('Export…')
  await expect(window.getByText('Values that look secret were left out of 1 line.')).toBeVisible()
  expect(await readFile(file, 'utf8')).not.toContain('hf_abcdefghijklmnop')

  await openMenu('Delete')
  await expect(window.getByText('No templates')).toBeVisible()
  await window.getByRole('button', { name: 'Undo' }).focus()
  await keyboard.press('Enter')
  await expect(templates(window)).toContainText('From the form')
  await openMenu('Delete')
  await expect(window.getByText('No templates')).toBeVisible()
  await pictureInBothThemes(electron, window, 'No templates')

  await answerOpenDialog(electron, file)
  const broken = testInfo.outputPath('broken.json')
  await writeFile(
    broken,
    (await readFile(file, 'utf8')).replace('"machineName": "train-again"', '"machineName": 7'),
  )
  await answerOpenDialog(electron, broken)
  await window.getByRole('button', { name: 'Import…' }).focus()
  await keyboard.press('Enter')
  await expect(window.getByText('The field “machineName” of the file isn’t valid.')).toBeVisible()
  await pictureInBothThemes(electron, window, 'A file that is not a template')

  const foreign = testInfo.outputPath('foreign.json')
  await writeFile(
    foreign,
    (await readFile(file, 'utf8')).replace(/"flavor": "[^"]*"/, '"flavor": "gpu-of-another-account"'),
  )
  await answerOpenDialog(electron, foreign)
  await keyboard.press('Enter')
  await expect(templates(window)).toContainText('gpu-of-another-account')
  await keyboard.press('Enter')
  await expect(templates(window)).toContainText('From the form 2')
  await templates(window).getByRole('button', { name: 'Create… From the form', exact: true }).focus()
  await keyboard.press('Enter')
  await expect(
    window.getByText('This account doesn’t offer the GPU gpu-of-another-account. Choose one.'),
  ).toBeVisible()
  await pictureInBothThemes(electron, window, 'A template with a missing GPU')
  expect(await posts(service, /virtual-machines( |$)/)).toBe(0)
})

/** Saves a template with nothing left to answer, of the first offer in stock and a new key. Returns its price as text. */
async function saveComplete(window: Page, account: string): Promise<string> {
  const { items: flavors } = await askBridge(window, 'catalog.flavors', { account, kind: 'machine' })
  const { items: images } = await askBridge(window, 'catalog.images', { account, kind: 'machine' })
  const flavor = flavors.find(({ inStock, price }) => inStock === true && price !== null)
  const image = images.find(({ region }) => region.id === flavor?.region.id)
  const { comment } = await askBridge(window, 'creation.generateKey', {
    name: 'id_wheels',
    comment: 'wheels',
  })
  if (!flavor?.price || !image) throw new Error('nothing is in stock')
  const template: Template = {
    id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a21',
    name: 'Wheels',
    machineName: 'wheels',
    flavor: flavor.name,
    region: flavor.region.name,
    image: image.name,
    volume: null,
    key: comment,
    initScript: '',
    volumes: [],
    firewall: [],
    ssh: { user: null, port: null, jumpHost: null, forwardAgent: null, options: null },
    commands: '',
    end: null,
  }
  await askBridge(window, 'templates.save', { template })
  return `${(flavor.price.millionths / 1_000_000).toFixed(2)} ${flavor.price.currency} per hour`
}

test('one click creates a machine at the shown price, once, under a free name', async ({
  start,
  service,
}) => {
  test.slow()
  const { electron, window } = await start()
  const account = await enter(window, service)
  const price = await saveComplete(window, account)
  const openMenu = () => window.getByRole('button', { name: 'Create from template…' }).click()
  await openMenu()
  await window.getByRole('menuitem', { name: 'All templates…' }).click()
  const row = templates(window).getByRole('listitem').filter({ hasText: 'Wheels' })
  await expect(row).toContainText(price)
  await pictureInBothThemes(electron, window, 'A template that one click creates from')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'A template that one click creates from, narrow')
  await resize(electron, [1440, 900])
  expect(await violations(electron, window)).toEqual([])

  await row.getByRole('button', { name: 'Create Wheels', exact: true }).focus()
  await window.keyboard.press('Enter')
  // It stays ten seconds, which the panel may take on a busy computer.
  await expect(window.getByText(`Creating wheels for ${price}`)).toBeVisible(settling)
  await expect(panelOf(window, 'wheels')).toBeVisible(settling)
  await pictureInBothThemes(electron, window, 'A machine from one click')
  expect(await posts(service, /virtual-machines( |$)/)).toBe(1)

  await openMenu()
  const item = window.getByRole('menuitem', { name: 'Create from Wheels' })
  await expect(item).toContainText(price)
  await pictureInBothThemes(electron, window, 'Menu of templates with prices')
  await item.click()
  await expect(panelOf(window, 'wheels-2')).toBeVisible(settling)
  expect(await posts(service, /virtual-machines( |$)/)).toBe(2)

  await openMenu()
  await window.getByRole('menuitem', { name: 'All templates…' }).click()
  await row.getByRole('button', { name: 'Actions for Wheels' }).click()
  await window.getByRole('menuitem', { name: 'Edit before creating…' }).click()
  await expect(window.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('wheels-3')
  expect(await posts(service, /virtual-machines( |$)/)).toBe(2)
})
