import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { deriveSecrets } from '../../src/sandbox/secrets'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { control, requestsTo } from '../fixtures/sandbox-control'
import { keyringEntries } from './support/keyring'
import { pictureInBothThemes } from './support/pictures'
import { readableXterms, windowShown } from './support/screen'
import { secretsOfOwnSandbox } from './support/secrets'
import {
  accountsOf,
  chooseTerminal,
  chooseToConnect,
  connect,
  lookAround,
  machineNames,
  openPage,
} from './support/window'

test.use({ needs: ['ssh', 'xterm'] })

const State = z.object({
  data: z.object({
    bare_metal: z.array(z.object({ id: z.string(), name: z.string(), username: z.string() })),
  }),
})
const firstInstance = async (sandbox: { baseUrl: string; controlKey: string }) => {
  const [instance] = State.parse(await control(sandbox, 'GET', '/state')).data.bare_metal
  if (!instance) throw new Error('the sandbox has no bare metal')
  return instance
}
const openBareMetal = async (window: Page): Promise<void> => {
  await window.getByRole('link', { name: /^Bare metal/ }).click()
  await expect(window.getByRole('heading', { name: 'Bare metal', level: 1 })).toBeVisible()
}
const addById = async (window: Page, id: string): Promise<Locator> => {
  await window.getByRole('button', { name: 'Add by ID' }).first().click()
  const dialog = window.getByRole('dialog', { name: 'Add a bare metal instance' })
  await dialog.getByLabel('Instance ID').fill(id)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  return dialog
}
const rows = (window: Page): Locator =>
  window.getByRole('grid', { name: 'Bare metal' }).locator('[role=row][aria-selected]')
const panelOf = (window: Page, name: string): Locator =>
  window.getByRole('complementary', { name: `Bare metal ${name}` })

test('billed bare metal appears automatically, is added by its id after removal, and removed once it is deleted', async ({
  start,
  service,
}) => {
  const instance = await firstInstance(service)
  const all = State.parse(await control(service, 'GET', '/state')).data.bare_metal
  for (const { id } of all) if (id !== instance.id) await control(service, 'DELETE', `/resources/${id}`)
  const first = await start()
  await chooseToConnect(first.window)
  await connect(first.window, service)
  await machineNames(first.window)
  await openBareMetal(first.window)
  await expect(rows(first.window)).toHaveCount(1, { timeout: 60_000 })
  await expect(rows(first.window)).toContainText(instance.name)
  await rows(first.window).click()
  const found = panelOf(first.window, instance.name)
  await expect(found).toContainText('found in billing')
  await found.getByRole('button', { name: 'Remove from the list' }).click()
  await first.window
    .getByRole('dialog', { name: `Remove ${instance.name} from the list?` })
    .getByRole('button', { name: 'Remove from the list' })
    .click()
  await expect(first.window.getByRole('heading', { name: 'No bare metal yet' })).toBeVisible()
  await pictureInBothThemes(first.electron, first.window, 'Bare metal, none')
  expect(await violations(first.electron, first.window)).toEqual([])

  const dialog = await addById(first.window, 'no-such-instance')
  await expect(dialog.getByText('No bare metal instance has this ID.')).toBeVisible()
  await dialog.getByLabel('Instance ID').fill(` ${instance.id} `)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(panelOf(first.window, instance.name)).toBeVisible()
  await expect(rows(first.window)).toHaveCount(1)
  await expect(rows(first.window)).toContainText('Started')
  await pictureInBothThemes(first.electron, first.window, 'Bare metal')
  await first.quit()

  const { window, electron } = await start()
  await openBareMetal(window)
  await expect(rows(window)).toContainText(instance.name)
  // Read again: a refresh that joined this reading would show the instance before its deletion below.
  await expect(rows(window)).toContainText('Started')
  expect(await requestsTo(service)).toContain(`GET /bare-metal/instances/${instance.id}`)

  await control(service, 'DELETE', `/resources/${instance.id}`)
  await rows(window).click()
  await window.evaluate(
    `window.wheelhouse.call('accounts.list', {}).then(({ value }) =>
      window.wheelhouse.call('bareMetal.refresh', { account: value.selected }))`,
  )
  const panel = panelOf(window, instance.name)
  await expect(panel.getByText('This instance was deleted')).toBeVisible()
  await expect(rows(window)).toContainText('Deleted')
  await pictureInBothThemes(electron, window, 'Bare metal, gone')
  await panel.getByRole('button', { name: 'Remove from the list' }).click()
  await window
    .getByRole('dialog', { name: `Remove ${instance.name} from the list?` })
    .getByRole('button', { name: 'Remove from the list' })
    .click()
  await expect(window.getByRole('heading', { name: 'No bare metal yet' })).toBeVisible()
})

test('the user name of bare metal is asked once, and SSH then opens on it', async ({
  start,
  place,
  secrets,
}) => {
  const xterms = readableXterms(place.home)
  const { electron, window } = await start(xterms.env)
  await lookAround(window)
  await machineNames(window)
  const [account] = await accountsOf(window)
  const kept = keyringEntries().find((entry) => entry.account === 'sandbox/secret')
  if (!account || !kept) throw new Error('the application runs no sandbox')
  secrets.push(...(await secretsOfOwnSandbox(account)))
  const { controlKey } = deriveSecrets(kept.secret)
  const instance = await firstInstance({ baseUrl: account.baseUrl, controlKey })

  await chooseTerminal(window, /^xterm/)
  await openBareMetal(window)
  await addById(window, instance.id)
  const panel = panelOf(window, instance.name)
  await panel.getByRole('tab', { name: 'Notes' }).click()
  await panel.getByLabel('Tags', { exact: true }).fill('loaned')
  await panel.getByLabel('Tags', { exact: true }).press('Enter')
  await window.getByLabel('Filter bare metal').fill('loaned')
  await expect(rows(window)).toHaveCount(1)
  await panel.getByRole('tab', { name: 'Connection' }).click()
  // The palette has it too, with the same question.
  await openPage(window, 'Machines')
  await window.keyboard.press('Control+k')
  await window.getByRole('combobox', { name: 'Command palette' }).fill(`connect to ${instance.name}`)
  await window.keyboard.press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Which user do you sign in as?' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await openBareMetal(window)
  await rows(window).filter({ hasText: instance.name }).click()
  await panel.getByRole('button', { name: /^Connect/ }).click()
  await pictureInBothThemes(electron, window, 'Bare metal, user name asked')
  await dialog.getByLabel('Username').fill(instance.username)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()

  const xterm = await windowShown('--class', '^XTerm$')
  const prompt = new RegExp(`^${instance.username}@${instance.name}:~[$#]`, 'm')
  await expect.poll(() => xterms.screenOf(xterm), { message: 'the prompt of the instance' }).toMatch(prompt)
  await expect(panel.getByText(/^SHA256:/)).toBeVisible()

  // Asked once: from now on the command is shown.
  await expect(panel.getByText(`${instance.username}@`).first()).toBeVisible()
  await pictureInBothThemes(electron, window, 'Bare metal after the first contact')

  // Its GPUs are read like a machine's.
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  await panel.getByRole('button', { name: 'Only on this machine' }).click()
  await expect(panel.getByText('Connected')).toBeVisible({ timeout: 30_000 })
  await expect(panel.getByRole('list', { name: 'GPUs' }).getByRole('listitem').first()).toContainText(
    'NVIDIA',
  )
  await pictureInBothThemes(electron, window, 'The GPUs of bare metal')
})
