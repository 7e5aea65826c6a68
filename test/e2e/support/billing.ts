import { z } from 'zod'
import { formatMoney } from '../../../src/shared/money/format-money'
import { moneyFromDecimal } from '../../../src/shared/money/money'
import { expect, type Locator, type Page } from '@playwright/test'
import { control } from '../../fixtures/sandbox-control'
import type { Sandbox } from './sandbox'
import { chooseToConnect, connect, machineNames } from './window'

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

/** The service's own books, in whole millionths. */
export const booksOf = async (service: Sandbox) => Books.parse(await control(service, 'GET', '/ledger')).data
export const usd = (millionths: number): string => formatMoney({ currency: 'USD', millionths })

/** Signs in at a service whose clock does not move, so that its books stay the same during the test. */
export const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await control(service, 'POST', '/clock', { held: true })
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
export const openBilling = async (window: Page, view: 'Costs' | 'Statements' | 'Usage'): Promise<void> => {
  await window.getByRole('link', { name: 'Billing' }).click()
  await expect(window.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible()
  await window.getByRole('radio', { name: view }).click()
}
export const rows = (window: Page, table: 'Statements' | 'Usage'): Locator =>
  window.getByRole('grid', { name: table }).locator('[role=row][aria-selected]')
export const total = (window: Page): Locator => window.getByRole('status', { name: 'Total shown' })

export const shown = (window: Page): Locator => window.getByRole('complementary')
export const millionths = (amount: string): number =>
  moneyFromDecimal(amount, 'USD')?.millionths ?? Number.NaN
export const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)
