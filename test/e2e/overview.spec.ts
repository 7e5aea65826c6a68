import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge, selectedAccount } from './support/bridge'
import { control } from '../fixtures/sandbox-control'
import { byKeyboard } from './support/hand'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes, pictureOfScreen, pictureOfWindow } from './support/pictures'
import { publicKey } from './support/public-key'
import type { Sandbox } from './support/sandbox'
import { reportClosedMenus, trayMenuLabels } from './support/tray'
import { chooseToConnect, connect, connectWithToken, machineNames, panelOf } from './support/window'

// Spending is pushed within seconds of a reading, and the first sync of the ledger takes a moment.
const settling = { timeout: 30_000 }
const hours = 3_600

const overview = (window: Page): Locator => window.getByRole('link', { name: 'Overview', exact: true })
/** Number of alerts that are not snoozed. The bell counts waste too. */
const awakeAlerts = async (window: Page): Promise<number> => {
  const alerts = await askBridge(window, 'alerts.list', { account: await selectedAccount(window) })
  return alerts.filter(({ snoozedUntil }) => snoozedUntil === null).length
}
const bell = (window: Page): Locator => window.getByRole('button', { name: /^Alerts and notifications: / })
const needsALook = (window: Page): Locator => window.getByRole('region', { name: 'Needs attention' })

/** Spending of the account, once all of it is known. */
const spendingOf = async (window: Page) => {
  const account = await selectedAccount(window)
  const read = () => askBridge(window, 'cost.spending', { account })
  await expect
    .poll(async () => {
      const { history, usageAsOf } = await read()
      return usageAsOf !== null && history !== 'partial'
    }, settling)
    .toBe(true)
  const [spending] = (await read()).currencies
  if (!spending) throw new Error('the sandbox charges for what it has')
  const { perHour, month, forecast } = spending
  return { account, perHour, month: month.charged + month.estimated, forecast: forecast.total }
}
const dollars = (millionths: number): string => String(Math.round(millionths / 1_000_000))

/** A request to the service's API from another client. */
const createMachine = async (service: Sandbox, name: string): Promise<void> => {
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${service.apiToken}`, 'content-type': 'application/json' },
    })
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}`)
    return answer.json()
  }
  const one = (answer: unknown, pattern: RegExp): string => pattern.exec(JSON.stringify(answer))?.[1] ?? ''
  const flavors = await ask('/flavors?region_id=eu-north-1')
  const images = await ask('/images?region_id=eu-north-1')
  await ask('/virtual-machines', {
    method: 'POST',
    body: JSON.stringify({
      name,
      flavor_id: one(flavors, /"id":"([^"]+)","name":"h100-80g\.2x"/),
      image_id: one(images, /"id":"([^"]+)","name":"Debian 12/),
      ssh_key: { name: 'colleague', public_key: publicKey },
    }),
  })
}
const pass = (service: Sandbox, seconds: number) => control(service, 'POST', '/clock', { advance: seconds })
/** Simulates the computer waking up, so that everything is read again. */
const wake = (electron: ElectronApplication): Promise<unknown> =>
  electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))

test('spending, running machines and alerts; a budget set by keyboard, its alert snoozed over a restart', async ({
  start,
  service,
}) => {
  const first = await start()
  const { window, electron } = first
  const hand = byKeyboard(window)
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const { forecast, month, perHour } = await spendingOf(window)
  // Alerts about idle machines appear when their load is known: not here.
  await askBridge(window, 'idle.configure', { threshold: 1, minutes: 10_080 })

  await hand.press(overview(window))
  await expect(window.getByRole('heading', { name: 'Spending now' })).toBeVisible()
  await expect(window.getByText(/Runs out in .* at this rate/)).toBeVisible()
  const running = window.getByRole('region', { name: 'Running' })
  await expect(running.getByRole('row').filter({ hasText: 'USD' }).first()).toContainText('Running')
  await pictureInBothThemes(electron, window, 'Overview')
  expect(await violations(electron, window)).toEqual([])

  await hand.press(window.getByRole('button', { name: 'Set a budget' }))
  const budget = window.getByRole('textbox', { name: 'Monthly budget' })
  await expect(budget).toBeFocused()
  // The section scrolls inside its page: the top bar stays.
  expect(await window.evaluate(() => document.documentElement.scrollTop)).toBe(0)
  await window.keyboard.type('none')
  await window.keyboard.press('Enter')
  await expect(window.getByText('Enter an amount above 0')).toBeVisible()
  await pictureOfWindow(window, 'Budget and alerts, refused')
  // Half way between the spending and the forecast.
  await hand.write(budget, dollars((month + forecast) / 2))
  await window.keyboard.press('Enter')
  await expect(window.getByText('Budget saved.')).toBeVisible()
  await hand.press(overview(window))
  await expect(window.getByRole('img', { name: /% of the month has passed/ })).toBeVisible()

  const ahead = needsALook(window).getByRole('listitem').filter({ hasText: 'Forecast at' })
  await expect(ahead).toContainText(/expected by the end of \w+; budget [\d,.]+ USD/)
  await expect.poll(() => awakeAlerts(window)).toBe(2)
  await pictureInBothThemes(electron, window, 'Overview with a budget')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 900))
  await pictureInBothThemes(electron, window, 'Overview, narrow')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1360, 860))

  await hand.press(ahead.getByRole('button', { name: /^Snooze: / }))
  await window.keyboard.press('Enter')
  await expect(ahead).toHaveCount(0)
  await expect.poll(() => awakeAlerts(window)).toBe(1)
  await bell(window).click()
  const list = window.getByRole('dialog', { name: 'Alerts' })
  const entries = await list.getByRole('list', { name: 'Alerts' }).getByRole('listitem').count()
  await expect(bell(window)).toHaveAccessibleName(`Alerts and notifications: ${String(entries)}`)
  await list.getByRole('button', { name: '1 snoozed' }).click()
  await expect(list.getByText(/^Snoozed until/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'List of alerts')
  expect(await violations(electron, window)).toEqual([])
  const account = await selectedAccount(window)
  const alertsIn = async (page: Page) =>
    (await askBridge(page, 'alerts.list', { account })).map(({ id, since, snoozedUntil }) => ({
      id,
      since,
      snoozedUntil,
    }))
  const before = await alertsIn(window)
  await first.quit()

  const { window: again, electron: reopened } = await start()
  await spendingOf(again)
  // They appear once their data was read.
  await expect.poll(() => alertsIn(again)).toEqual(before)
  await expect.poll(() => awakeAlerts(again)).toBe(1)
  await overview(again).click()
  await needsALook(again).getByRole('button', { name: '1 snoozed' }).click()
  await needsALook(again)
    .getByRole('button', { name: /^Show again: / })
    .click()
  await expect.poll(() => awakeAlerts(again)).toBe(2)
  await needsALook(again)
    .getByRole('button', { name: /^Dismiss: Balance / })
    .click()
  await expect.poll(() => awakeAlerts(again)).toBe(1)

  // An alert ends with its cause; a new cause notifies again.
  const notifications = await catchNotifications(reopened)
  await bell(again).click()
  await again.getByRole('button', { name: 'Set limits' }).click()
  const field = again.getByRole('textbox', { name: 'Monthly budget' })
  await expect(field).not.toHaveValue('')
  await field.fill(dollars(forecast * 3))
  await again.getByRole('textbox', { name: 'Hourly limit' }).fill(dollars(perHour / 2))
  await again.keyboard.press('Enter')
  const title = 'Hourly spending is over your limit'
  await expect.poll(notifications.shown).toEqual([expect.objectContaining({ title })])
  await overview(again).click()
  await expect(needsALook(again).getByRole('listitem')).toHaveCount(1)
  await expect(needsALook(again)).toContainText(title)
  await pictureOfWindow(again, 'Budget and alerts')
})

test.describe('with a tray', () => {
  test.use({ needs: ['tray'] })

  test('an alert while the window is closed names its cause, amount and start, and opens its page', async ({
    start,
    service,
  }) => {
    const { window, electron } = await start()
    await reportClosedMenus(electron)
    await chooseToConnect(window)
    await connectWithToken(window, service)
    await machineNames(window)
    const { account, perHour } = await spendingOf(window)
    const notifications = await catchNotifications(electron)
    await askBridge(window, 'alerts.setLimits', {
      account,
      limits: {
        budget: null,
        perHour: { currency: 'USD', millionths: perHour + 1_000_000 },
        runningHours: 3_000,
        balanceDays: null,
      },
    })
    await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/ · \d+ running · [\d.]+ USD\/h$/))
    await window.close()

    // A machine started long ago that was not in the list before.
    await pass(service, -3_100 * hours)
    await createMachine(service, 'forgotten')
    await pass(service, 200)
    await pass(service, 3_100 * hours - 200)
    await wake(electron)
    const running = /^forgotten has been running for 129 d$/
    const limit = 'Hourly spending is over your limit'
    // Alerts present from the start are notified too, at their own time, and closing the window ends nothing.
    const titles = async () =>
      (await notifications.shown())
        .map(({ title }) => title)
        // Its idleness is found later.
        .filter((title) => title === limit || title.startsWith('forgotten has been running'))
        .sort()
    await expect.poll(titles, settling).toEqual([limit, expect.stringMatching(running)])
    const shown = await notifications.shown()
    expect(shown.find(({ title }) => running.test(title))?.body).toMatch(
      /[\d,]+\.\d\d USD so far at [\d.]+ USD per hour; over your limit of 3,000 h\. Since .+ 20\d\d/,
    )
    expect(shown.find(({ title }) => title === limit)?.body).toMatch(
      /[\d.]+ USD per hour; limit [\d.]+ USD\. Since /,
    )
    await pictureOfScreen('An alert while the window is closed')
    // Notified once, however often it is checked.
    await wake(electron)
    await expect.poll(async () => (await trayMenuLabels()).join('\n')).toContain('forgotten (running')
    expect(await titles()).toHaveLength(2)

    const opened = electron.waitForEvent('window')
    await notifications.click(shown.find(({ title }) => running.test(title))?.title ?? '')
    const again = await opened
    await expect(panelOf(again, 'forgotten')).toBeVisible()
    await expect(bell(again)).toHaveAccessibleName(/^Alerts and notifications: (?:[2-9]|\d\d)$/)
    await pictureInBothThemes(electron, again, 'Where the alert leads')
  })
})

test('an empty account, activity as it happens, and the sandbox apart from real money @deep', async ({
  start,
  startService,
}) => {
  const service = await startService({ machines: 0 })
  const { window, electron } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await expect(overview(window)).toBeVisible()
  await overview(window).click()
  await expect(window.getByText('No machines running')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Set a budget' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Overview of an empty account')
  expect(await violations(electron, window)).toEqual([])

  await createMachine(service, 'first-of-all')
  await wake(electron)
  const activity = window.getByRole('region', { name: 'Activity' })
  await expect(activity).toContainText('first-of-all created (creating)', settling)
  await pass(service, 200)
  await expect(activity).toContainText('first-of-all is running', settling)

  await askBridge(window, 'accounts.lookAround', {})
  const sandbox = window.getByRole('region', { name: 'Sandbox', exact: true })
  await expect(sandbox).toContainText('Nothing here costs real money.')
  await expect(sandbox.getByRole('heading', { name: 'Spending now' })).toBeVisible(settling)
  await expect(window.getByText(/^All accounts/)).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'Overview of two accounts')
})
