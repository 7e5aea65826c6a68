import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { control, requestsTo } from '../fixtures/sandbox-control'
import { pictureInBothThemes, pictureOfWindow } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { chooseToConnect, connect, machineNames, machineRows, openMachine } from './support/window'

const enter = async (window: Page, service: Sandbox): Promise<void> => {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
}
const chart = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('img', { name: new RegExp(`^${name} of`) })
const period = (scope: Page | Locator): Locator => scope.getByLabel('Period')
/** The visible part of the time, in hours. */
const hoursShown = async (window: Page): Promise<number> => {
  const [from = '', to = ''] = (await window.locator('footer .range .tabular').innerText()).split(' – ')
  return (Date.parse(to) - Date.parse(from)) / 3_600_000
}
/** The system's dialog cannot be clicked: it returns a file with this name in `folder`. */
const answerDialogs = (electron: ElectronApplication, folder: string): Promise<void> =>
  electron.evaluate(({ dialog }, into) => {
    dialog.showSaveDialog = (...asked: readonly unknown[]) => {
      const options = asked.at(-1)
      const path =
        typeof options === 'object' && options !== null ? String(Reflect.get(options, 'defaultPath')) : ''
      return Promise.resolve({ canceled: false, filePath: `${into}/${path.split('/').at(-1) ?? ''}` })
    }
  }, folder)
const save = async (window: Page, what: string, file: RegExp): Promise<void> => {
  await window.getByRole('button', { name: 'Save' }).click()
  await window.getByRole('menuitem', { name: what }).click()
  await expect(window.getByText(file)).toBeVisible()
}

test('a machine’s load over 30 days, zoomed to an hour, refreshed, and saved', async ({
  start,
  service,
  place,
}) => {
  const { electron, window } = await start()
  const started = Date.now()
  await enter(window, service)
  const panel = await openMachine(window, 'serve-embeddings')
  await panel.getByRole('tab', { name: 'Metrics' }).click()
  await expect(chart(panel, 'CPU')).toBeVisible()
  const hours = { '1h': 1, '2h': 2, '4h': 4, '12h': 12, '1d': 24, '3d': 72, '7d': 168, '15d': 360 }
  for (const [one, length] of [...Object.entries(hours), ['all', 720] as const, ['6h', 6] as const]) {
    await period(panel).selectOption(one)
    await expect.poll(() => hoursShown(window)).toBeCloseTo(length, 0)
    await expect(panel.getByText(/^[\d,]+ points/)).toBeVisible()
  }
  await pictureInBothThemes(electron, window, 'Metrics of a machine')

  await panel.getByRole('button', { name: 'Expand' }).click()
  await expect(window.getByRole('heading', { name: 'Metrics of serve-embeddings' })).toBeVisible()
  await period(window).selectOption('30d')
  await expect(window.getByText(/^43,\d\d\d points/)).toBeVisible()
  expect(await hoursShown(window)).toBeCloseTo(720, 0)
  const cpu = chart(window, 'CPU')
  const { x, y, width } = (await cpu.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await window.mouse.move(x + width * 0.6, y + 40)
  for (const name of ['CPU', 'Memory', 'Disk', 'Network']) {
    await expect(chart(window, name).getByRole('status')).toContainText(/\d (%|GB)/)
  }
  await pictureInBothThemes(electron, window, 'Metrics over 30 days')
  expect(await violations(electron, window)).toEqual([])

  // By dragging, and then by keys, to an hour; the other charts follow.
  await window.mouse.down()
  await window.mouse.move(x + width * 0.63, y + 40)
  await window.mouse.up()
  await expect.poll(() => hoursShown(window)).toBeLessThan(48)
  await window.mouse.move(x + width / 2, 10)
  await cpu.focus()
  while ((await hoursShown(window)) > 1) {
    const before = await hoursShown(window)
    await window.keyboard.press('+')
    await expect.poll(() => hoursShown(window)).toBeLessThan(before)
  }
  const shown = await window.locator('footer .range .tabular').innerText()
  await window.keyboard.press('Shift+ArrowLeft')
  await expect(window.locator('footer .range .tabular')).not.toHaveText(shown)
  await window.keyboard.press('ArrowRight')
  await expect(chart(window, 'Network').getByRole('status')).toContainText('GB')
  const kept = await window.locator('footer .range .tabular').innerText()
  await pictureInBothThemes(electron, window, 'Metrics zoomed to an hour')

  // The main process reads again every minute (look-poller.test.ts) and pushes a notice: the window then shows the
  // new data and keeps the zoom.
  const readAt = window.locator('footer span[title]')
  const before = (await readAt.getAttribute('title')) ?? ''
  const looked = {
    account: await selectedAccount(window),
    machine: await machineId(window, 'serve-embeddings'),
    period: '30d',
  } as const
  await askBridge(window, 'metrics.read', { ...looked, range: null, width: 800, fresh: true })
  await electron.evaluate(({ BrowserWindow }, { machine, ...changed }) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      webContents.send('wheelhouse:event', 'metrics.changed', { ...changed, machines: [machine] })
  }, looked)
  await expect(readAt).not.toHaveAttribute('title', before)
  await expect(window.locator('footer .range .tabular')).toHaveText(kept)

  await answerDialogs(electron, place.home)
  await save(window, 'Data (CSV)', /^Saved as wheelhouse-metrics-.*\.csv$/)
  const csv = readFileSync(
    join(place.home, `wheelhouse-metrics-serve-embeddings-${new Date().toISOString().slice(0, 10)}.csv`),
    'utf8',
  )
  expect(csv.split('\r\n')[0]).toContain('time,machine,cpu (%)')
  expect(csv.trim().split('\r\n').length).toBeLessThan(70)
  await save(window, 'Picture (PNG)', /^Saved as metrics-serve-embeddings\.png$/)
  const png = readFileSync(join(place.home, 'metrics-serve-embeddings.png'))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(20_000)
  await expect(window.locator('footer .range .tabular')).toHaveText(kept)
  await window.getByRole('button', { name: 'Whole period' }).click()
  await expect.poll(() => hoursShown(window)).toBeGreaterThan(719)

  // Zooming sends no request: one request per period, one of the large page, one per row of the list, one of this
  // test, and the visible ones again at each full minute.
  const asked = (await requestsTo(service)).filter((request) => request.includes('/metrics'))
  const minutes = Math.ceil((Date.now() - started) / 60_000)
  expect(asked.length).toBeLessThanOrEqual(12 + 12 + 1 + 13 * minutes)
})

test('the list shows the load of the last hour; machines are compared; no, single and malformed values are shown @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await enter(window, service)
  const row = (name: string): Locator => machineRows(window).filter({ hasText: name })
  await expect(
    row('train-llama-01').getByRole('img', { name: /^CPU \d+ % now \(chart: last hour\)$/ }),
  ).toBeVisible()
  await expect(row('notebook-jonas').getByRole('img', { name: /^CPU/ })).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'Machines with their load')

  for (const name of ['serve-embeddings', 'train-llama-01', 'eval-nightly']) {
    await row(name).getByRole('gridcell').first().click()
  }
  await window.getByRole('button', { name: 'Compare load' }).click()
  await expect(window.getByRole('heading', { name: 'Compare 3 machines' })).toBeVisible()
  await window.getByRole('button', { name: 'Remove eval-nightly' }).click()
  await expect(window.getByRole('heading', { name: 'Compare 2 machines' })).toBeVisible()
  await expect(window.locator('.legend').getByText('train-llama-01, Read')).toBeVisible()
  const gpus = window.getByRole('region', { name: 'GPU', exact: true })
  await expect(gpus).toContainText('GPUs aren’t monitored')
  await expect(gpus.getByRole('link', { name: 'Choose in Settings' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Two machines compared')
  await gpus.scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Two machines compared, GPUs not read')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(720, 900))
  await expect(window.locator('.legend').getByText('train-llama-01, Read')).toBeVisible()
  await pictureOfWindow(window, 'Two machines compared, narrow')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1360, 860))

  await window.getByRole('button', { name: 'Back to Machines' }).click()
  const panel = await openMachine(window, 'train-llama-03')
  await panel.getByRole('tab', { name: 'Metrics' }).click()
  await expect(panel.getByText('No data yet')).toBeVisible()
  await pictureInBothThemes(electron, window, 'No metrics yet')

  const now = Math.floor(Date.now() / 1000)
  const entry = (ago: number, value: string): string => `{"time": ${String(now - ago)}, "value": ${value}}`
  const odd = [entry(600, '30'), entry(1_200, '20'), entry(600, 'null'), entry(540, 'NaN'), entry(480, '-5')]
  const even = Array.from({ length: 20 }, (_, at) => entry(3_000 - at * 60, String(40 + at)))
  const body = `{"status": true, "message": "ok", "data": {"cpu": {"unit": "%", "data": [${[...odd, ...even].join()}]},
    "memory": {"unit": "GiB", "data": [${entry(1_800, '12')}]}, "disk": {"unit": "GB", "data": []}, "network": null}}`
  await control(service, 'POST', '/faults', {
    kind: 'status',
    status: 200,
    path: '/metrics',
    body,
  })
  const other = await openMachine(window, 'sdxl-batch')
  await other.getByRole('tab', { name: 'Metrics' }).click()
  // The list may have read them just before the fault: visible rows are read again every minute.
  await expect(other.getByText('1 invalid value left out')).toBeVisible({ timeout: 90_000 })
  await expect(other.getByText('No data in this period')).toHaveCount(2)
  await pictureInBothThemes(electron, window, 'Metrics with gaps and one point')
  expect(await violations(electron, window)).toEqual([])
})
