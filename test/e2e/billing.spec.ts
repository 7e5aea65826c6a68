import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { formatMoney } from '../../src/shared/money/money'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { machineId } from './support/bridge'
import { control } from './support/control'
import { answerSaveDialog } from './support/dialogs'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames } from './support/window'

const Books = z.object({
  data: z.object({
    now: z.number(),
    resources: z.array(
      z.object({
        resource_id: z.string(),
        resource_type: z.string(),
        name: z.string(),
        terminated_time: z.number().nullable(),
        fee: z.number(),
        statements: z.number(),
        charged: z.number(),
      }),
    ),
    totals: z.object({ fee: z.number(), charged: z.number(), per_minute: z.number() }),
  }),
})

/** What the service's own books say, in whole millionths. */
const booksOf = async (service: Sandbox) => Books.parse(await control(service, 'GET', '/books')).data
const usd = (millionths: number): string => formatMoney({ currency: 'USD', millionths })

/** Signs in at a service whose clock stands still, so that its books do not move under the test. */
const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await control(service, 'POST', '/clock', { held: true })
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const openBilling = async (window: Page, view: 'Costs' | 'Statements' | 'Usage'): Promise<void> => {
  await window.getByRole('link', { name: 'Billing' }).click()
  await expect(window.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible()
  await window.getByRole('radio', { name: view }).click()
}
const rows = (window: Page, table: 'Statements' | 'Usage'): Locator =>
  window.getByRole('grid', { name: table }).locator('[role=row][aria-selected]')
const total = (window: Page): Locator => window.getByRole('status', { name: 'Total of what is shown' })

test('what was charged is shown, filtered and added up, and each row leads to its resource', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const books = await booksOf(service)
  await openBilling(window, 'Costs')
  await expect(window.getByRole('region', { name: 'The most expensive' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Costs')

  await openBilling(window, 'Statements')
  await expect(rows(window, 'Statements').first()).toBeVisible()
  await expect(total(window)).toContainText(usd(books.totals.charged))
  await pictureInBothThemes(electron, window, 'Statements')

  await openBilling(window, 'Usage')
  await expect(rows(window, 'Usage').first()).toBeVisible()
  await expect(total(window)).toContainText(usd(books.totals.fee))
  await pictureInBothThemes(electron, window, 'Usage')
})
