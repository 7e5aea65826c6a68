import { byMouse, type Hand } from './hand'
import { expect, type Locator, type Page } from '@playwright/test'
import { z } from 'zod'

/** A user's actions in the window. */

const address = (window: Page): Locator => window.getByLabel('Service address')
const submit = async (window: Page): Promise<void> =>
  window.getByRole('button', { name: 'Connect', exact: true }).click()

export const connect = async (
  window: Page,
  { baseUrl, username, password }: { baseUrl: string; username: string; password: string },
): Promise<void> => {
  await address(window).fill(baseUrl)
  await window.getByLabel('Username', { exact: true }).fill(username)
  await window.getByLabel('Password', { exact: true }).fill(password)
  await submit(window)
}

export const connectWithToken = async (
  window: Page,
  { baseUrl, apiToken }: { baseUrl: string; apiToken: string },
): Promise<void> => {
  await address(window).fill(baseUrl)
  await window.getByRole('radio', { name: 'API token' }).click()
  await window.getByRole('textbox', { name: 'API token' }).fill(apiToken)
  await submit(window)
}

export const chooseToConnect = async (window: Page): Promise<void> =>
  window.getByRole('button', { name: 'Connect to your service' }).click()

export const lookAround = async (window: Page): Promise<void> =>
  window.getByRole('button', { name: 'Look around first' }).click()

export const machineRows = (window: Page): Locator =>
  window.getByRole('grid', { name: 'Machines' }).locator('[role=row][aria-selected]')

/** Waits for the list and returns the names in it. */
export const machineNames = async (window: Page): Promise<readonly string[]> => {
  await expect(machineRows(window).first()).toBeVisible({ timeout: 60_000 })
  return machineRows(window).locator('[role=gridcell].name bdi').allInnerTexts()
}

export const panelOf = (window: Page, machine: string): Locator =>
  window.getByRole('complementary', { name: `Machine ${machine}` })

export const openMachine = async (window: Page, machine: string): Promise<Locator> => {
  await machineRows(window).filter({ hasText: machine }).click()
  const panel = panelOf(window, machine)
  await expect(panel.getByRole('heading', { name: machine })).toBeVisible()
  return panel
}

/** Selects a tab of a panel, which may be in the menu after the row. */
export async function showTab(
  panel: Locator,
  name: string,
  { press }: Pick<Hand, 'press'> = byMouse,
): Promise<void> {
  const tab = panel.getByRole('tab', { name, exact: true })
  if (!(await tab.isVisible())) {
    await press(panel.getByRole('button', { name: 'More tabs' }))
    await press(panel.page().getByRole('menuitem', { name, exact: true }))
  } else await press(tab)
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

export const openAccounts = async (window: Page): Promise<Locator> => {
  await window.getByRole('button', { name: /^Account: / }).click()
  return window.getByRole('dialog', { name: 'Accounts' })
}

export const openPage = async (
  window: Page,
  page: 'Machines' | 'Overview' | 'Settings' | 'Terminals',
): Promise<void> => {
  await window
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: page })
    .click()
  await expect(window.getByRole('heading', { name: page, level: 1 })).toBeVisible()
}

/** Chooses the terminal that SSH opens, and goes back to the machines. */
export const chooseTerminal = async (window: Page, name: RegExp): Promise<void> => {
  await openPage(window, 'Settings')
  await window.getByRole('radio', { name }).check()
  await openPage(window, 'Machines')
}

const Answer = z.object({
  ok: z.literal(true),
  value: z.object({
    accounts: z.array(
      z.object({
        label: z.string(),
        baseUrl: z.string(),
        username: z.string().nullable(),
        sandbox: z.boolean(),
      }),
    ),
  }),
})

/** The accounts as the window gets them from the bridge. */
export const accountsOf = async (window: Page) => {
  const answer: unknown = await window.evaluate(`window.wheelhouse.call('accounts.list', {})`)
  return Answer.parse(answer).value.accounts
}
