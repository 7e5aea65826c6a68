import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { machineId } from './support/bridge'
import { control } from '../fixtures/sandbox-control'
import { answerSaveDialog } from './support/dialogs'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import { machineRows, showTab } from './support/window'
import { booksOf, enter, millionths, openBilling, rows, shown, sum, total, usd } from './support/billing'

test('charges are listed, filtered and added up, and each row opens its resource', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const books = await booksOf(service)
  const charged = (name: string) =>
    sum(books.resources.filter((one) => one.name === name).map((one) => one.charged))

  await openBilling(window, 'Statements')
  await expect(total(window)).toContainText(usd(books.totals.charged))
  await expect(rows(window, 'Statements').first()).toContainText('Payment pending')
  await pictureInBothThemes(electron, window, 'Statements')
  const resource = window.getByLabel('Resource', { exact: true })
  await resource.fill('no such thing')
  await resource.press('Enter')
  await expect(window.getByText('No billed resource has this name.')).toBeVisible()
  await resource.fill('train-llama-01')
  await resource.press('Enter')
  await expect(total(window)).toContainText(usd(charged('train-llama-01')))
  await window.getByLabel('Status').selectOption({ label: 'Paid' })
  await expect(rows(window, 'Statements').filter({ hasText: 'Payment pending' })).toHaveCount(0)
  await rows(window, 'Statements').nth(2).click()
  await expect(shown(window).getByRole('heading', { name: 'train-llama-01' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'A statement')
  await shown(window).getByRole('button', { name: 'Show machine' }).click()
  const machine = window.getByRole('complementary', { name: 'Machine train-llama-01' })
  await showTab(machine, 'Cost')
  const own = books.resources.find(({ name }) => name === 'train-llama-01')
  await expect(machine.getByRole('region', { name: 'Cost' })).toContainText(usd(own?.fee ?? 0))
  await pictureInBothThemes(electron, window, 'Cost of a machine')
  await machine.getByRole('button', { name: 'Show statements' }).click()
  await expect(total(window)).toContainText(usd(charged('train-llama-01')))

  // Deleted resources keep their name, after a long and a short time.
  await openBilling(window, 'Usage')
  await expect(total(window)).toContainText(usd(books.totals.fee))
  await pictureInBothThemes(electron, window, 'Usage')
  const names = books.resources.map(({ name }) => name)
  const gone = books.resources.find(
    ({ name, terminated_time }) =>
      terminated_time !== null && names.filter((one) => one === name).length === 1,
  )
  await resource.fill(gone?.name ?? '')
  await resource.press('Enter')
  await expect(total(window)).toContainText(usd(gone?.fee ?? 0))
  await rows(window, 'Usage').first().click()
  await expect(shown(window)).toContainText('Deleted. Its costs are kept here.')
  await expect(shown(window).getByRole('button', { name: /^Show/ })).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'Usage of something that is gone')
  await shown(window).getByRole('button', { name: 'Statements' }).click()
  await expect(total(window)).toContainText(usd(charged(gone?.name ?? '')))

  const doomed = await machineId(window, 'notebook-anna')
  await control(service, 'DELETE', `/resources/${doomed}`)
  await window.getByRole('button', { name: 'Clear filters' }).click()
  await resource.fill('notebook-anna')
  await resource.press('Enter')
  await expect(rows(window, 'Statements').first()).toContainText('notebook-anna')

  // The service reports bare metal as machines.
  await window.getByRole('button', { name: 'Clear filters' }).click()
  await resource.fill('pretrain-metal-01')
  await resource.press('Enter')
  await expect(rows(window, 'Statements').first()).toContainText('Bare metal')
  await pictureInBothThemes(electron, window, 'Statements of bare metal')
  await window.getByRole('button', { name: 'Clear filters' }).click()
  await resource.fill('notebook-anna')
  await resource.press('Enter')

  // No matches, in a window of the smallest size.
  await window.getByLabel('Status').selectOption({ label: 'Paid' })
  await window.getByLabel('Type', { exact: true }).selectOption({ label: 'Volume' })
  await expect(window.getByRole('heading', { name: 'No matches' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'No statement matches')
  await window.getByRole('button', { name: 'Clear filters' }).click()
  await window.getByLabel('Period').selectOption({ label: 'Custom dates' })
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(760, 700))
  await expect(rows(window, 'Statements').first()).toBeVisible()
  await pictureOfWindow(window, 'Statements, narrow')
})

test('costs are drawn, linked to their resources, and printed on one page @deep', async ({
  start,
  service,
  place,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const books = await booksOf(service)
  await openBilling(window, 'Costs')
  const perDay = window.getByRole('region', { name: 'Spending per day' })
  await expect(perDay.getByRole('table')).toBeAttached()
  await expect(window.getByText('The statements are still being read.')).toBeHidden({ timeout: 60_000 })
  await pictureInBothThemes(electron, window, 'Costs')
  for (const split of ['Type', 'Resource', 'GPU model']) {
    await perDay.getByRole('radio', { name: split }).click()
    await expect(perDay.getByRole('listitem').nth(1)).toBeVisible()
    await pictureOfWindow(window, `Spending by ${split}`)
  }
  // Any past month, by day.
  const month = new Date(new Date().setUTCDate(0))
  const label = month.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await perDay.getByLabel('Period').selectOption({ label })
  await expect(perDay.getByRole('table').locator('tbody tr')).toHaveCount(month.getUTCDate())
  await pictureOfWindow(window, 'Costs of last month')
  await perDay.getByLabel('Period').selectOption({ label: 'Last 12 months' })
  await expect(window.getByRole('region', { name: 'Spending per month' })).toBeVisible()
  const dearest = books.resources.toSorted((one, other) => other.charged - one.charged)[0]
  const top = window.getByRole('region', { name: 'Most expensive' })
  await expect(top.getByRole('row').nth(1)).toContainText(dearest?.name ?? '')
  await expect(top.getByRole('row').nth(1)).toContainText(usd(dearest?.charged ?? 0))
  await window.getByRole('region', { name: 'Statements and usage' }).scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Costs, further down')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(760, 700))
  await window.getByRole('region', { name: 'Spending per month' }).scrollIntoViewIfNeeded()
  await pictureOfWindow(window, 'Costs, narrow')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1360, 860))

  // The user may set a currency that the service does not report.
  await window.getByRole('button', { name: 'Change' }).click()
  const dialog = window.getByRole('dialog', { name: 'Account currency' })
  await dialog.getByLabel('Currency code').fill('euro')
  await expect(dialog.getByText('Use three letters, such as USD.')).toBeVisible()
  await dialog.getByLabel('Currency code').fill('eur')
  await pictureInBothThemes(electron, window, 'The currency of an account')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText('showing EUR, as you set')).toBeVisible()
  // The amounts grow during the test; all of them get another currency.
  await expect(top.getByRole('row').nth(1)).toContainText(/[\d,]+\.\d\d EUR/)
  await expect(top.getByRole('row').nth(1)).not.toContainText('USD')

  // Paper sizes of both halves of the world.
  for (const [country, points] of [
    ['DE', 842],
    ['US', 792],
  ] as const) {
    await electron.evaluate(({ app }, code) => {
      app.getLocaleCountryCode = () => code
    }, country)
    const name = `report-${country}.pdf`
    await answerSaveDialog(electron, join(place.home, name))
    await window.getByRole('button', { name: 'Report' }).click()
    await window.getByRole('menuitem').first().click()
    await expect(window.getByText(`Saved ${name}`)).toBeVisible()
    const pdf = readFileSync(join(place.home, name)).toString('latin1')
    expect(pdf.startsWith('%PDF-')).toBe(true)
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    const height = Number(/\/MediaBox\s*\[[\d.]+ [\d.]+ [\d.]+ ([\d.]+)\]/.exec(pdf)?.[1])
    expect(Math.abs(height - points)).toBeLessThan(2)
  }
})

test('any table is exported whole, added up, and cancelled without leaving a file', async ({
  start,
  service,
  place,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const books = await booksOf(service)
  const target = (name: string): string => join(place.home, name)
  const exportAs = async (format: 'CSV' | 'JSON', name: string): Promise<string> => {
    await answerSaveDialog(electron, target(name))
    await window.getByRole('button', { name: 'Export' }).click()
    await window.getByRole('menuitem', { name: format }).click()
    return target(name)
  }

  await openBilling(window, 'Statements')
  await expect(rows(window, 'Statements').first()).toBeVisible()
  const csv = await exportAs('CSV', 'statements.csv')
  await expect(window.getByText(/^Saved [\d,]+ rows as statements\.csv/)).toBeVisible()
  const Rows = z.array(z.object({ id: z.string(), resource_id: z.string(), amount: z.string() }))
  const statements = Rows.parse(parse(readFileSync(csv, 'utf8'), { bom: true, columns: true }))
  expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length)
  expect(sum(statements.map(({ amount }) => millionths(amount)))).toBe(books.totals.charged)
  for (const { resource_id, statements: count, charged } of books.resources) {
    const own = statements.filter((row) => row.resource_id === resource_id)
    expect(own).toHaveLength(count)
    expect(sum(own.map(({ amount }) => millionths(amount)))).toBe(charged)
  }

  await openBilling(window, 'Usage')
  await window.getByLabel('Status').selectOption({ label: 'Active' })
  await expect(rows(window, 'Usage').filter({ hasText: 'Ended' })).toHaveCount(0)
  const json = await exportAs('JSON', 'usage.json')
  await expect(window.getByText(/rows as usage\.json/)).toBeVisible()
  const Entries = z.array(z.object({ resource_id: z.string(), total_fee: z.string() }))
  const active = books.resources.filter(({ terminated_time }) => terminated_time === null)
  const usage = Entries.parse(JSON.parse(readFileSync(json, 'utf8')))
  expect(usage).toHaveLength(active.length)
  expect(sum(usage.map(({ total_fee }) => millionths(total_fee)))).toBe(sum(active.map(({ fee }) => fee)))

  // Cancelled while the service is slow: no file is left, not even a partial one.
  const before = readdirSync(place.home)
  await openBilling(window, 'Statements')
  await expect(rows(window, 'Statements').first()).toBeVisible()
  await control(service, 'POST', '/faults', {
    kind: 'delay',
    milliseconds: 20_000,
    path: '/statements',
    count: 50,
  })
  await exportAs('CSV', 'never.csv')
  await window.getByRole('button', { name: 'Cancel the export' }).click()
  await expect(window.getByRole('button', { name: 'Export', exact: true })).toBeVisible()
  expect(existsSync(target('never.csv'))).toBe(false)
  expect(readdirSync(place.home).filter((name) => !before.includes(name) && name.includes('never'))).toEqual(
    [],
  )
  await control(service, 'DELETE', '/faults')

  // Any list, including lists that the window holds whole.
  await window.getByRole('link', { name: /^Machines/ }).click()
  await window.getByLabel('Filter machines').fill('llama')
  await expect(machineRows(window)).toHaveCount(3)
  const machines = await exportAs('CSV', 'machines.csv')
  await expect(window.getByText('Saved 3 rows as machines.csv')).toBeVisible()
  const Machines = z.array(z.object({ name: z.string(), gpu: z.string(), started_time: z.string() }))
  const listed = Machines.parse(parse(readFileSync(machines, 'utf8'), { bom: true, columns: true }))
  expect(listed.map(({ name }) => name)).toEqual(['train-llama-01', 'train-llama-02', 'train-llama-03'])

  // A cancelled dialog is no failure.
  await answerSaveDialog(electron, null)
  await window.getByRole('button', { name: 'Export' }).click()
  await window.getByRole('menuitem', { name: 'CSV' }).click()
  await expect(window.getByRole('button', { name: 'Export' })).toBeVisible()
  await expect(window.getByRole('alert')).toHaveCount(0)
})

test('billing works from the keyboard, passes the accessibility check, and explains an empty list @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  await openBilling(window, 'Costs')
  await expect(window.getByRole('region', { name: 'Statements and usage' })).toBeVisible()
  expect(await violations(electron, window)).toEqual([])
  const views = window.getByRole('radiogroup', { name: 'View' })
  await views.getByRole('radio', { name: 'Costs' }).focus()
  await window.keyboard.press('ArrowRight')
  const grid = window.getByRole('grid', { name: 'Statements' })
  await expect(grid).toBeVisible()
  await grid.focus()
  await window.keyboard.press('End')
  await window.keyboard.press('Enter')
  await expect(shown(window)).toBeVisible()
  expect(await violations(electron, window)).toEqual([])
  await window.keyboard.press('Escape')
  await expect(shown(window)).toBeHidden()
  await expect(grid).toBeFocused()

  await control(service, 'POST', '/faults', {
    kind: 'status',
    status: 200,
    body: JSON.stringify({ status: true, message: '', data: [], total: 0 }),
    path: '/billing/resources',
    count: 100,
  })
  await window.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(window.getByRole('heading', { name: 'No charges yet' })).toBeVisible()
  await pictureOfWindow(window, 'No charges yet')
  await control(service, 'DELETE', '/faults')
  await control(service, 'POST', '/faults', { kind: 'drop', path: '/billing/resources', count: 100 })
  await window.getByRole('button', { name: 'Refresh', exact: true }).click()
  const retry = window.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeEnabled()
  await control(service, 'DELETE', '/faults')
  await retry.click()
  await expect(rows(window, 'Statements').first()).toBeVisible()
})
