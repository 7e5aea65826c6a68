import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, selectedAccount } from './support/bridge'
import { control, stateOf } from '../fixtures/sandbox-control'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import {
  chooseToConnect,
  connect,
  machineNames,
  machineRows,
  openMachine,
  panelOf,
  showTab,
} from './support/window'

const seconds = (): number => Math.round(Date.now() / 1000)

const enter = async (window: Page, service: Sandbox): Promise<readonly string[]> => {
  await chooseToConnect(window)
  await connect(window, service)
  return machineNames(window)
}
const idOf = async (service: Sandbox, name: string): Promise<string> =>
  (await stateOf(service)).machines.find((machine) => machine.name === name)?.id ?? ''

test('tags and notes are stored on this computer, found by the filter, and survive a restart', async ({
  start,
  startService,
  secrets,
}) => {
  // The search at the end of the test finds none of it in a plain file.
  const budget = { currency: 'USD', millionths: 4_242_424_242 }
  const address = '93.184.216.77'
  secrets.push(
    { what: 'note', value: 'Until Friday, then delete.' },
    { what: 'tag', value: 'paper-2026' },
    { what: 'budget', value: String(budget.millionths) },
    { what: 'address of the person', value: address },
  )
  const service = await startService()
  const { electron, window, quit } = await start()
  const [first = '', second = ''] = await enter(window, service)
  const panel = await openMachine(window, second)
  await showTab(panel, 'Notes')
  const tag = panel.getByLabel('Tags', { exact: true })
  await tag.fill('paper-2026')
  await tag.press('Enter')
  await tag.fill('ada')
  await tag.press(',')
  await panel.getByRole('textbox', { name: 'Notes' }).fill('Until Friday, then delete.')
  await panel.getByRole('button', { name: 'Remove tag ada' }).click()
  await expect(panel.getByText('ada', { exact: true })).toHaveCount(0)

  const filter = window.getByLabel('Filter machines')
  await filter.fill('paper-2026 friday')
  await expect(machineRows(window)).toHaveCount(1)
  await expect(machineRows(window)).toContainText(second)
  await expect(machineRows(window)).toContainText('paper-2026')
  await filter.fill('')
  await pictureInBothThemes(electron, window, 'Notes of a machine')

  await tag.fill('x'.repeat(31))
  await expect(panel.getByRole('alert')).toContainText('30 characters')
  await tag.press('Enter')
  await expect(panel.getByRole('button', { name: /^Remove tag/ })).toHaveCount(1)
  await tag.fill('')
  const account = await selectedAccount(window)
  const limits = { budget, perHour: null, runningHours: 1, balanceDays: null }
  await askBridge(window, 'alerts.setLimits', { account, limits })
  await askBridge(window, 'firewall.rememberAddress', { address })
  await quit()

  const again = await start()
  await machineNames(again.window)
  const reopened = await openMachine(again.window, second)
  await showTab(reopened, 'Notes')
  await expect(reopened.getByRole('textbox', { name: 'Notes' })).toHaveValue('Until Friday, then delete.')
  await expect(reopened.getByText('paper-2026')).toBeVisible()
  expect(await askBridge(again.window, 'alerts.limits', { account })).toEqual(limits)
  await again.window.getByRole('button', { name: 'Close the panel' }).click()
  expect(first).not.toBe(second)
})

test('a reminder is set, listed and cancelled; it appears at its time, and opens its machine', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const [name = '', other = ''] = await enter(window, service)
  const notifications = await catchNotifications(electron)
  const panel = await openMachine(window, name)
  await showTab(panel, 'Notes')
  const reminders = panel.getByRole('list', { name: 'Reminders for this machine' })

  await panel.getByLabel('Time').fill('noon')
  await expect(panel.getByRole('button', { name: 'Remind me' })).toBeDisabled()
  await panel.getByLabel('Time').fill('18:00')
  await panel.getByRole('button', { name: 'Remind me' }).click()
  await expect(reminders.getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('radio', { name: 'After' }).click()
  await panel.getByLabel('Hours').fill('8')
  await panel.getByRole('button', { name: 'Remind me' }).click()
  await expect(reminders.getByRole('listitem')).toHaveCount(2)
  await pictureInBothThemes(electron, window, 'Reminders of a machine')
  await reminders
    .getByRole('button', { name: /^Cancel reminder/ })
    .first()
    .click()
  await reminders
    .getByRole('button', { name: /^Cancel reminder/ })
    .first()
    .click()
  await expect(reminders).toHaveCount(0)

  const account = await selectedAccount(window)
  const machine = await idOf(service, name)
  await askBridge(window, 'reminders.add', { account, machine, at: seconds() + 2 })
  await openMachine(window, other)
  const title = `Reminder: ${name}`
  await expect
    .poll(notifications.shown, { timeout: 20_000 })
    .toContainEqual(expect.objectContaining({ title }))
  await expect(window.getByText(`${title} still exists`)).toBeVisible()
  await notifications.click(title)
  await expect(panelOf(window, name)).toBeVisible()
  await showTab(panelOf(window, name), 'Notes')
  await expect(reminders).toContainText('Was due')
  await reminders.getByRole('button', { name: /^Dismiss reminder/ }).click()
  await expect(reminders).toHaveCount(0)
})

test('a reminder survives a restart, and is deleted with its machine @deep', async ({ start, service }) => {
  const { window, quit } = await start()
  const [name = '', gone = ''] = await enter(window, service)
  const account = await selectedAccount(window)
  const due = await idOf(service, name)
  const leaving = await idOf(service, gone)
  await askBridge(window, 'reminders.add', { account, machine: due, at: seconds() + 2 })
  await askBridge(window, 'reminders.add', { account, machine: leaving, at: seconds() + 3_600 })
  await quit()

  const again = await start()
  await machineNames(again.window)
  const left = async () =>
    (await askBridge(again.window, 'reminders.list', { account })).map(({ machine, notified }) => [
      machine,
      notified,
    ])
  await expect.poll(left, { timeout: 20_000 }).toEqual([
    [due, true],
    [leaving, false],
  ])
  await control(service, 'DELETE', `/resources/${leaving}`)
  await expect.poll(left, { timeout: 30_000 }).toEqual([[due, true]])
})
