import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { requestsTo } from '../fixtures/sandbox-control'
import { keyringEntries } from './support/keyring'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import { tokenValues } from './support/secrets'
import { chooseToConnect, connect } from './support/window'

const rows = (window: Page): Locator =>
  window.getByRole('grid', { name: 'API tokens' }).locator('[role=row][aria-selected]')
const openTokens = async (window: Page): Promise<void> => {
  await window.getByRole('link', { name: 'API tokens' }).click()
  await expect(rows(window).first()).toBeVisible()
}
const openToken = async (window: Page, name: string): Promise<Locator> => {
  await rows(window).filter({ hasText: name }).first().click()
  const panel = window.getByRole('complementary', { name: `API token ${name}` })
  await expect(panel).toBeVisible()
  return panel
}

test('API tokens are listed, renamed and described, and show their value only on request', async ({
  start,
  service,
  secrets,
}) => {
  secrets.push(...(await tokenValues(service)))
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await openTokens(window)
  await expect(rows(window)).toHaveCount(3)
  await expect(rows(window).filter({ hasText: 'grafana' })).toContainText('never')
  await expect(rows(window).filter({ hasText: 'ci-nightly' })).toContainText(/\d+ h|\d+ d/)
  await pictureInBothThemes(electron, window, 'API tokens')
  expect(await violations(electron, window)).toEqual([])

  const panel = await openToken(window, 'ci-nightly')
  await panel.getByRole('button', { name: 'Edit Name' }).click()
  const name = panel.getByRole('textbox', { name: 'Name' })
  await name.fill('n'.repeat(51))
  await name.press('Enter')
  await expect(panel.getByText('Up to 50 characters')).toBeVisible()
  expect(await requestsTo(service)).not.toContainEqual(expect.stringMatching(/^PUT/))
  await name.fill('ci-weekly')
  await name.press('Enter')
  const renamed = window.getByRole('complementary', { name: 'API token ci-weekly' })
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Edit Description' }).click()
  await renamed.getByRole('textbox', { name: 'Description' }).fill('Starts the weekly evaluation')
  await renamed.getByRole('textbox', { name: 'Description' }).press('Enter')
  await expect(rows(window).filter({ hasText: 'Starts the weekly evaluation' })).toHaveCount(1)

  // The value is nowhere in the window until requested, and again after it is hidden.
  const value = (await tokenValues(service)).find(({ what }) => what === 'token ci-weekly')?.value ?? ''
  expect(value).toMatch(/\S{16,}/)
  expect(await window.content()).not.toContain(value)
  await renamed.getByRole('button', { name: 'Copy Value' }).click()
  await expect.poll(() => electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(value)
  expect(await window.content()).not.toContain(value)
  await renamed.getByRole('button', { name: 'Reveal Value' }).click()
  await expect(renamed.getByText(value)).toBeVisible()
  await renamed.getByRole('button', { name: 'Hide Value' }).click()
  await expect(renamed.getByText(value)).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'API token')
})

test('an account can switch to one of its API tokens', async ({ start, service }) => {
  const first = await start()
  await chooseToConnect(first.window)
  await connect(first.window, service)
  await openTokens(first.window)
  const panel = await openToken(first.window, 'laptop')
  await panel.getByRole('button', { name: 'Use for this account' }).click()
  const dialog = first.window.getByRole('dialog', { name: 'Sign in with laptop?' })
  await pictureOfWindow(first.window, 'Use a token for this account')
  await dialog.getByRole('button', { name: 'Use this token' }).click()
  await expect(dialog).toBeHidden()
  await expect(panel.getByRole('button', { name: 'Use for this account' })).toBeDisabled()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(rows(first.window).filter({ hasText: 'laptop' })).toContainText('this account')
  await expect.poll(() => keyringEntries().map(({ secret }) => secret)).toEqual([service.apiToken])
  await first.quit()

  const { window } = await start()
  await openTokens(window)
  await expect(rows(window).filter({ hasText: 'laptop' })).toContainText('this account')
})

test('a token is created, shown once, and deleted by its name', async ({ start, service, secrets }) => {
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await openTokens(window)
  await window.getByRole('button', { name: 'Create a token' }).click()
  const form = window.getByRole('dialog', { name: 'Create an API token' })
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Required', { exact: true }).first()).toBeVisible()
  await form.getByLabel('Name').fill('notebook')
  await form.getByLabel('Description').fill('For the notebook')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const created = window.getByRole('dialog', { name: 'notebook created' })
  await expect(created.getByText('Copy the value now')).toBeVisible()
  secrets.push(...(await tokenValues(service)))
  await pictureInBothThemes(electron, window, 'API token created')
  await created.getByRole('button', { name: 'Copy Value' }).click()
  const value = secrets.find(({ what }) => what === 'token notebook')?.value
  await expect.poll(() => electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(value)
  await created.getByRole('button', { name: 'Done' }).click()

  const panel = window.getByRole('complementary', { name: 'API token notebook' })
  await panel.getByRole('button', { name: 'Delete token' }).click()
  const dialog = window.getByRole('dialog', { name: 'Delete notebook?' })
  const confirm = dialog.getByRole('button', { name: 'Delete token' })
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel('Type notebook to confirm').fill('notebook')
  await confirm.click()
  await expect(rows(window)).toHaveCount(3)
  expect((await tokenValues(service)).map(({ what }) => what)).not.toContain('token notebook')
})

test('creating and deleting tokens is explained as unsupported once the service refused it @deep', async ({
  start,
  startService,
}) => {
  const service = await startService({ extensions: false })
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await openTokens(window)
  await window.getByRole('button', { name: 'Create a token' }).click()
  const form = window.getByRole('dialog', { name: 'Create an API token' })
  await expect(form).toContainText('The service may refuse to')
  await form.getByLabel('Name').fill('notebook')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toContainText('Not supported by this service')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(window.getByText('This service doesn’t let apps create tokens.')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Create a token' })).toHaveCount(0)

  const panel = await openToken(window, 'grafana')
  await panel.getByRole('button', { name: 'Delete token' }).click()
  const dialog = window.getByRole('dialog', { name: 'Delete grafana?' })
  await expect(dialog).toContainText('The service may refuse to')
  await dialog.getByLabel('Type grafana to confirm').fill('grafana')
  await dialog.getByRole('button', { name: 'Delete token' }).click()
  await expect(dialog).toContainText('Not supported by this service')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(panel.getByText('This service doesn’t let apps delete tokens.')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Tokens that programs cannot change')

  await rows(window).filter({ hasText: 'laptop' }).getByRole('checkbox').click()
  await expect(
    window.getByRole('toolbar', { name: 'Selected API tokens' }).getByRole('button', { name: 'Delete…' }),
  ).toBeDisabled()
  await expect(rows(window)).toHaveCount(3)
})
