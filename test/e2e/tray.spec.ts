import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { trayItemsIn } from '../../src/main/desktop/tray-host'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { run } from './support/command'
import { pictureOfScreen } from './support/pictures'
import { press, readableXterms, windowShown, windows } from './support/screen'
import {
  accentPixelsOfTray,
  chooseInTrayMenu,
  goToInTrayMenu,
  openTrayMenu,
  reportClosedMenus,
  trayMenuLabels,
  trayTooltip,
} from './support/tray'
import { catchNotifications } from './support/notifications'
import { chooseTerminal, lookAround, machineNames, machineRows, openMachine, panelOf } from './support/window'

test.use({ needs: ['tray', 'ssh', 'xterm'] })

test('the tray counts the running machines, lists them, and connects to one', async ({ start, place }) => {
  const xterms = readableXterms(place.home)
  const { electron, window } = await start(xterms.env)
  await reportClosedMenus(electron)
  await lookAround(window)
  await machineNames(window)
  await chooseTerminal(window, /^xterm/)

  await expect.poll(trayTooltip).toContain('9 machines running')
  await expect
    .poll(trayMenuLabels)
    .toContainEqual(expect.stringMatching(/^Sandbox · 9 running · [\d.]+ USD\/h$/))
  // Found a moment after the machines are listed.
  await expect
    .poll(trayMenuLabels)
    .toContainEqual(expect.stringMatching(/^Waste: [\d,.]+ USD\/h, [\d,.]+ USD so far$/))
  await expect
    .poll(trayMenuLabels)
    .toContainEqual(
      expect.stringMatching(/^eval-nightly \(running.*\) · .* · [\d.]+ USD\/h · [\d,.]+ USD so far$/),
    )
  expect((await trayMenuLabels()).slice(-2)).toEqual(['Open Wheelhouse', 'Quit'])

  await openTrayMenu()
  // One click connects.
  await goToInTrayMenu('eval-nightly (')
  const picture = await pictureOfScreen('Tray menu')
  expect(await accentPixelsOfTray(picture)).toBeGreaterThan(20)

  const terminal = () => windowShown('--class', '^XTerm$', 15_000)
  await press('Return')
  // As below: keys pressed while the panel redraws the menu are lost.
  const again = async () => {
    await openTrayMenu()
    await chooseInTrayMenu('eval-nightly (')
    await terminal()
  }
  await terminal().catch(() => expect(again).toPass())
  const xterm = await terminal()
  await expect.poll(() => xterms.screenOf(xterm)).toMatch(/@eval-nightly:~\$/)
})

test('a terminal that fails from the tray opens in the window, with the reason @deep', async ({
  start,
  place,
}) => {
  const bin = join(place.home, 'bin')
  await mkdir(bin)
  const script = '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n'
  await writeFile(join(bin, 'kitty'), script, { mode: 0o755 })
  const { electron, window } = await start({ PATH: `${bin}:${process.env['PATH'] ?? ''}` })
  await reportClosedMenus(electron)
  await lookAround(window)
  await machineNames(window)
  await chooseTerminal(window, /^kitty/)
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^eval-nightly/))
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Waste: /))
  const said = window.getByText('Couldn’t open kitty: cannot open display.')
  await expect(async () => {
    if (await said.isVisible()) return
    await openTrayMenu()
    await chooseInTrayMenu('eval-nightly (')
    await expect(said).toBeVisible({ timeout: 8_000 })
  }).toPass()
  await expect(
    window.getByRole('tabpanel', { name: 'Terminal of eval-nightly' }).locator('textarea'),
  ).toBeFocused()
  await pictureOfScreen('A terminal from the tray that failed')
  await window.getByRole('button', { name: 'Show', exact: true }).last().click()
  await expect(window.getByRole('radio', { name: /^kitty/ })).toBeInViewport()
})

test('the tray lists forwarded ports until they are stopped @deep', async ({ start }) => {
  const { electron, window } = await start()
  await reportClosedMenus(electron)
  await lookAround(window)
  await machineNames(window)
  const which = { account: await selectedAccount(window), machine: await machineId(window, 'train-llama-01') }
  await askBridge(window, 'ssh.setConsents', { ...which, answers: { services: true } })
  await askBridge(window, 'tunnel.look', { ...which, looking: true })
  const { id, localPort } = await askBridge(window, 'tunnel.open', { ...which, port: 8888, browse: false })
  const line = new RegExp(`^(Jupyter|Port 8888) of train-llama-01 at 127\\.0\\.0\\.1:${localPort}$`)
  const forwards = async () => (await trayMenuLabels()).filter((label) => line.test(label))
  await expect.poll(forwards).toHaveLength(1)
  expect(await trayMenuLabels()).toContain('Forwarded ports')
  await askBridge(window, 'tunnel.stop', { forward: id })
  await expect.poll(forwards).toEqual([])
  expect(await trayMenuLabels()).not.toContain('Forwarded ports')
})

test('closing the window leaves the tray, from where it opens again as the user left it', async ({
  start,
}) => {
  const { electron, window } = await start()
  await reportClosedMenus(electron)
  await lookAround(window)
  await openMachine(window, 'train-llama-01')
  const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter machines' })
  const byState = (page: Page) => page.getByRole('columnheader', { name: 'State' })
  const selected = (page: Page) =>
    page.getByRole('grid', { name: 'Machines' }).getByRole('checkbox', { checked: true })
  await filter(window).fill('train')
  await byState(window).getByRole('button').click()
  await machineRows(window).filter({ hasText: 'train-llama-02' }).locator('.choose').click()
  const names = await machineNames(window)
  expect(names).toHaveLength(3)
  const notifications = await catchNotifications(electron)
  await window.close()
  await expect.poll(() => windows('--name', 'Wheelhouse')).toEqual([])

  const said = async () =>
    (await notifications.shown()).filter(({ title }) => title.includes('still running'))
  await expect.poll(async () => (await said()).length).toBe(1)

  // A complete menu stays unchanged: a menu that is replaced while open loses the keys.
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Sandbox · 9 running · [\d.]+ USD/))
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Waste: /))
  const opened = () => electron.windows().length
  await expect(async () => {
    if (opened() > 0) return
    await openTrayMenu()
    await pictureOfScreen('Tray without a window')
    await chooseInTrayMenu('Open Wheelhouse')
    await expect.poll(opened, { timeout: 2_000 }).toBe(1)
  }).toPass()
  const [again] = electron.windows()
  if (!again) throw new Error('no window')
  // As the user left it, without a second notice.
  expect(await machineNames(again)).toEqual(names)
  await expect(filter(again)).toHaveValue('train')
  await expect(byState(again)).toHaveAttribute('aria-sort', 'ascending')
  await expect(selected(again)).toHaveCount(1)
  await expect(panelOf(again, 'train-llama-01')).toBeVisible()
  await again.close()
  await expect.poll(() => windows('--name', 'Wheelhouse')).toEqual([])
  expect(await said()).toHaveLength(1)
})

test('a window closed as soon as it shows its list leaves the tray, too @deep', async ({ start }) => {
  const first = await start()
  await lookAround(first.window)
  await machineNames(first.window)
  await first.quit()
  const { electron, window } = await start()
  await window.getByRole('grid', { name: 'Machines' }).waitFor()
  await window.close()
  await expect.poll(trayTooltip).toContain('9 machines running')
  expect(electron.windows()).toEqual([])
  expect(electron.process().exitCode).toBeNull()
})

test('the tray stops a machine through the same question as the window, and then offers no SSH', async ({
  start,
}) => {
  const { electron, window } = await start()
  await reportClosedMenus(electron)
  await lookAround(window)
  await machineNames(window)
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Sandbox · 9 running/))
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Waste: /))
  const question = window.getByRole('dialog', { name: /^Stop [\w-]+\?$/ })
  await expect(async () => {
    if (await question.isVisible()) return
    await openTrayMenu()
    // The first machine, and the last of its actions.
    await chooseInTrayMenu('Actions')
    await press('Return', 'End', 'Return')
    await expect(question).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await expect(question.getByRole('region', { name: 'What a stop would interrupt' })).toBeVisible()
  const title = await question.getByRole('heading').first().innerText()
  const name = /Stop ([\w-]+)\?/.exec(title)?.[1] ?? ''
  await question.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringMatching(/^Sandbox · 8 running/))

  const label = `${name} (stopped, start it to connect)`
  await expect.poll(trayMenuLabels).toContainEqual(expect.stringContaining(label))
  await expect(panelOf(window, name).getByText('Stopped. Start it to connect.')).toBeVisible()
})

test('Quit in the tray ends the application', async ({ start }) => {
  const { electron } = await start()
  let hasEnded = false
  void electron.waitForEvent('close').then(() => (hasEnded = true))
  await expect(async () => {
    if (hasEnded) return
    await openTrayMenu()
    await press('End', 'Return')
    await expect.poll(() => hasEnded, { timeout: 5_000 }).toBe(true)
  }).toPass()
})

test('closing the window ends the application if the tray has lost its icon @deep', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  // Same as after a crashed panel: the icon has no host.
  await electron.evaluate(() => {
    process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent'
  })
  const ended = electron.waitForEvent('close')
  await window.close()
  await ended
})

/** A separate D-Bus session, on which a panel can start and end. */
async function ownSession() {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const address = await new Promise<string>((resolve) =>
    bus.stdout.once('data', (data: Buffer) => resolve(String(data))),
  )
  const env = { DBUS_SESSION_BUS_ADDRESS: address.trim() }
  const startPanel = () =>
    spawn('xfce4-panel', ['--disable-wm-check', '--sm-client-disable'], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    })
  return { env, startPanel, end: () => bus.kill() }
}

test('the tray icon comes with a panel that starts later, and the window with a panel that is lost @deep', async ({
  start,
}) => {
  const session = await ownSession()
  const { electron, window } = await start(session.env)
  await lookAround(window)
  await machineNames(window)
  const panel = session.startPanel()
  const isInTray = () =>
    run('gdbus', [
      'call',
      `--address=${session.env.DBUS_SESSION_BUS_ADDRESS}`,
      '--dest=org.kde.StatusNotifierWatcher',
      '--object-path=/StatusNotifierWatcher',
      '--method=org.freedesktop.DBus.Properties.Get',
      'org.kde.StatusNotifierWatcher',
      'RegisteredStatusNotifierItems',
    ]).then(
      (answer) => trayItemsIn(answer).length,
      () => 0,
    )
  await expect.poll(isInTray, { timeout: 60_000 }).toBe(1)
  const notifications = await catchNotifications(electron)
  await window.close()
  // The application has seen its icon and goes on without a window.
  await expect.poll(async () => (await notifications.shown()).map(({ title }) => title)).toHaveLength(1)
  panel.kill()
  // Two checks, half a minute apart.
  await expect.poll(() => electron.windows().length, { timeout: 120_000 }).toBe(1)
  session.end()
})
