import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { control, requestsTo, stateOf } from '../fixtures/sandbox-control'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import { chooseToConnect, connect, machineRows, openMachine, panelOf } from './support/window'

test.use({ needs: ['ssh'] })

const gpu = (window: Page, model: string) => window.getByRole('radio', { name: new RegExp(`^${model}`) })
const openForm = async (window: Page): Promise<void> => {
  await window.getByRole('button', { name: 'New machine' }).click()
  await expect(window.getByRole('heading', { name: 'New machine' })).toBeVisible()
  await expect(gpu(window, 'H100')).toBeVisible()
}
const flavorRow = (window: Page, name: string) => window.getByRole('row').filter({ hasText: name })
const send = (window: Page) => window.getByRole('button', { name: 'Create machine' })
const nameField = (window: Page) => window.getByRole('textbox', { name: 'Name', exact: true })
const generateKey = async (window: Page): Promise<void> => {
  await window.getByRole('button', { name: 'Generate a new key…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Generate a key' })
  await expect(dialog.getByLabel('File name')).not.toHaveValue('')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog).toBeHidden()
}
/** All fields except the name. */
const fillIn = async (window: Page): Promise<void> => {
  await gpu(window, 'H100').check()
  await flavorRow(window, 'h100-80g.2x').getByRole('radio').check()
  await window.getByRole('radio', { name: /^Oslo/ }).check()
  await window.getByRole('combobox', { name: 'Image' }).selectOption({ label: 'Debian 12' })
  await generateKey(window)
}
const creations = (window: Page) => window.getByRole('list', { name: 'In progress' })

test('a machine is created with a new key, followed until it runs, and offers Connect', async ({
  start,
  place,
  service,
}) => {
  // Two starts and the accessibility checker in both themes.
  test.slow()
  const first = await start()
  await chooseToConnect(first.window)
  await connect(first.window, service)
  await openForm(first.window)

  // Without input each field names its requirement, and nothing is sent.
  await send(first.window).click()
  for (const words of ['Choose a GPU.', 'Enter a name.', 'Choose, paste or generate a public key.'])
    await expect(first.window.getByText(words).first()).toBeVisible()
  await pictureOfWindow(first.window, 'New machine, nothing chosen')

  await expect(first.window.locator('label', { has: gpu(first.window, 'GB200') })).toContainText(
    'Out of stock',
  )
  await gpu(first.window, 'H200').check()
  const virginia = first.window.getByRole('radio', { name: /^Virginia/ })
  await expect(virginia).toHaveAccessibleName(/Out of stock/)
  await expect(first.window.getByRole('radio', { name: /^Oslo/ })).toBeChecked()

  await fillIn(first.window)
  const cost = first.window.getByRole('region', { name: 'Estimated cost' })
  for (const amount of ['4.98 USD', '119.52 USD', '3,585.60 USD', '2.49 USD per GPU per hour'])
    await expect(cost.getByText(amount)).toBeVisible()
  const identity = join(place.home, '.ssh', 'wheelhouse_ed25519')
  expect(statSync(identity).mode & 0o777).toBe(0o600)

  await first.window.getByLabel('Insert a template').selectOption({ label: 'CUDA check' })
  await nameField(first.window).fill('first-light')
  await pictureInBothThemes(first.electron, first.window, 'New machine')
  expect(await violations(first.electron, first.window)).toEqual([])

  // Input survives closing the form, and a restart.
  await first.window.getByRole('button', { name: 'Back to the list' }).click()
  await expect(machineRows(first.window).first()).toBeVisible()
  await openForm(first.window)
  await expect(nameField(first.window)).toHaveValue('first-light')
  await first.quit()
  const { window, electron } = await start()
  const notifications = await catchNotifications(electron)
  await openForm(window)
  await expect(nameField(window)).toHaveValue('first-light')
  await expect(window.getByRole('radio', { name: /^Oslo/ })).toBeChecked()
  await expect(flavorRow(window, 'h100-80g.2x').getByRole('radio')).toBeChecked()
  await expect(window.getByRole('textbox', { name: 'Init script' })).toHaveValue(/nvidia-smi/)

  await send(window).click()
  await expect(creations(window).getByText('Creating first-light')).toBeVisible()
  const panel = panelOf(window, 'first-light')
  await expect(panel.getByText('Creating')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machine being created')

  // On another page, the notification reports it; the list then shows the same, without another one.
  await window.getByRole('link', { name: 'Overview' }).click()
  await control(service, 'POST', '/clock', { advance: 120 })
  await expect
    .poll(notifications.shown)
    .toEqual([{ title: 'first-light is running', body: 'Click to connect.' }])
  await notifications.click('first-light is running')
  await expect(creations(window).getByText('first-light is running')).toBeVisible()
  await expect(panel.getByRole('button', { name: /^Connect/ })).toBeEnabled()
  await expect(panel.getByText('wheelhouse_ed25519').first()).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machine created')

  expect((await requestsTo(service)).filter((request) => request === 'POST /virtual-machines')).toHaveLength(
    1,
  )
  const created = (await stateOf(service)).machines.filter(({ name }) => name === 'first-light')
  expect(created).toHaveLength(1)
  await openForm(window)
  await expect(nameField(window)).toHaveValue('')
})

test('a second press of Create on a slow service asks, and one machine is ordered', async ({
  start,
  service,
}) => {
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await openForm(window)
  await fillIn(window)
  await nameField(window).fill('pressed-twice')
  await control(service, 'POST', '/faults', {
    kind: 'delay',
    milliseconds: 60_000,
    method: 'POST',
    path: '/virtual-machines',
  })
  await send(window).click()
  await expect(window.getByRole('button', { name: 'Sending…' })).toBeVisible()
  await nameField(window).press('Escape')
  await expect(creations(window).getByText('Sending pressed-twice')).toBeVisible()

  await openForm(window)
  await expect(nameField(window)).toHaveValue('pressed-twice')
  await send(window).click()
  const question = window.getByRole('dialog', { name: 'Send again?' })
  await expect(question.getByText('Sending pressed-twice')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Pressed twice')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await window.getByRole('button', { name: 'Back to the list' }).click()
  await control(service, 'DELETE', '/faults')
  await expect(creations(window).getByText('Creating pressed-twice')).toBeVisible()
  const created = (await stateOf(service)).machines.filter(({ name }) => name === 'pressed-twice')
  expect(created).toHaveLength(1)
  expect((await requestsTo(service)).filter((request) => request === 'POST /virtual-machines')).toHaveLength(
    1,
  )
  // The created machine has deleted the draft.
  await openForm(window)
  await expect(nameField(window)).toHaveValue('')
})

test('a creation with a lost answer is found, and exactly one machine exists', async ({ start, service }) => {
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await openForm(window)
  await fillIn(window)
  await nameField(window).fill('lost-answer')
  await control(service, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
  await send(window).click()
  await expect(creations(window).getByText(/exactly one machine was created/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'Answer lost, machine found')
  const created = (await stateOf(service)).machines.filter(({ name }) => name === 'lost-answer')
  expect(created).toHaveLength(1)
  expect((await requestsTo(service)).filter((request) => request === 'POST /virtual-machines')).toHaveLength(
    1,
  )
})

test('a refusal appears at its field, and an expired sign-in loses no input', async ({ start, service }) => {
  const { window } = await start()
  await chooseToConnect(window)
  await window.getByRole('checkbox', { name: 'Stay signed in' }).uncheck()
  await connect(window, service)
  await openForm(window)
  await fillIn(window)
  await nameField(window).fill('refused-first')

  // The private half of a key is neither sent nor saved.
  await window.getByRole('radio', { name: 'Paste a key' }).click()
  await window.getByLabel('Public key').fill('-----BEGIN OPENSSH PRIVATE KEY-----\nx')
  await expect(window.getByText(/This is a private key/)).toBeVisible()
  await window.getByRole('radio', { name: 'From ~/.ssh' }).click()

  // An unknown volume: the service's own message, at the field.
  await window.getByRole('radio', { name: 'An existing bootable volume' }).click()
  await window.getByLabel('Generated volume name').fill('no-such-volume')
  await send(window).click()
  await expect(window.getByText(/volume_name/)).toBeVisible()
  await expect(window.getByLabel('Generated volume name')).toBeFocused()
  await pictureOfWindow(window, 'Refusal at its field')
  await window.getByRole('radio', { name: 'An image' }).click()

  // The session expires while the user fills in the form: the dialog asks, and the creation continues.
  await control(service, 'DELETE', '/sessions')
  await send(window).click()
  const signIn = window.getByRole('dialog', { name: /^Sign in to/ })
  await signIn.getByLabel('Password', { exact: true }).fill(service.password)
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(creations(window).getByText('Creating refused-first')).toBeVisible()
  expect((await stateOf(service)).machines.filter(({ name }) => name === 'refused-first')).toHaveLength(1)
})

test('another machine is created like an existing one @deep', async ({ start, service }) => {
  const { window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('button', { name: 'Create another like this' }).click()
  await expect(nameField(window)).toHaveValue(/^train-llama-\d\d$/)
  await expect(gpu(window, 'H100')).toBeFocused()
  await expect(window.getByRole('radio', { name: /^Virginia/ })).toBeChecked()
  await expect(flavorRow(window, 'h100-80g.8x')).toBeInViewport()
  await expect(window.getByRole('region', { name: 'Estimated cost' }).getByText('Per 30 days')).toBeVisible()
  await pictureOfWindow(window, 'Another like it')
})

test('bare metal with a lost answer stays unknown, and is sent again only after an explicit yes @deep', async ({
  start,
  service,
}) => {
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await expect(machineRows(window).first()).toBeVisible()
  await window.getByRole('link', { name: 'Bare metal' }).click()
  await window.getByRole('button', { name: 'New instance' }).click()
  await gpu(window, 'H100').check()
  await window.getByRole('radio', { name: /^Texas/ }).check()
  await expect(flavorRow(window, 'bm-h100.8x').getByRole('radio')).toBeChecked()
  await window.getByRole('combobox', { name: 'Image' }).selectOption({ index: 1 })
  await generateKey(window)
  await nameField(window).fill('metal')
  await pictureInBothThemes(electron, window, 'New bare metal')

  await control(service, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
  await window.getByRole('button', { name: 'Create instance' }).click()
  await expect(creations(window).getByText('We don’t know whether metal was created')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Bare metal, outcome unknown')

  await creations(window).getByRole('button', { name: 'Send again…' }).click()
  await expect(nameField(window)).toHaveValue('metal')
  await window.getByRole('button', { name: 'Create instance' }).click()
  const question = window.getByRole('dialog', { name: 'Send again?' })
  await expect(question.getByRole('button', { name: 'Send again' })).toBeDisabled()
  expect((await stateOf(service)).bare_metal.filter(({ name }) => name === 'metal')).toHaveLength(1)
  await pictureOfWindow(window, 'An explicit yes')
  await question.getByRole('checkbox', { name: 'I understand I may pay for two' }).check()
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect(creations(window).getByText('Creating metal')).toBeVisible()
  expect((await stateOf(service)).bare_metal.filter(({ name }) => name === 'metal')).toHaveLength(2)
})
