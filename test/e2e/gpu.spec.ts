import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { enter } from './support/enter'
import { control } from '../fixtures/sandbox-control'
import { passTime } from './support/pass-time'
import { pictureInBothThemes } from './support/pictures'
import type { Sandbox } from './support/sandbox'
import { machineRows, openMachine, openPage } from './support/window'

// Every connection is real, and the machine is polled every four seconds.
const reading = { timeout: 30_000 }

const button = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('button', { name, exact: true })
const gpusOf = (panel: Locator): Locator => panel.getByRole('list', { name: 'GPUs' }).getByRole('listitem')

/** Signed in, with the port and the key of the machines. */
const openGpus = async (window: Page, machine: string): Promise<Locator> => {
  const panel = await openMachine(window, machine)
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()
  return panel
}
/** From the question to the first reading: consent, then the host key at first contact. */
const agree = async (panel: Locator): Promise<void> => {
  await button(panel, 'Only on this machine').click()
  await button(panel, 'Trust this key').click(reading)
  await expect(panel.getByText('Connected')).toBeVisible(reading)
}
const profile = (service: Sandbox, machine: string, name: string) =>
  control(service, 'PUT', `/machines/${machine}/gpu`, { profile: name })

test('the GPUs of a machine are read over SSH after the user agreed', async ({ start, service, place }) => {
  const { electron, window } = await start()
  await enter(window, service)
  const machine = await machineId(window, 'train-llama-01')
  const panel = await openGpus(window, 'train-llama-01')
  await expect(panel.getByRole('heading', { name: 'May Wheelhouse use SSH on your machines?' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'GPU consent')

  await button(panel, 'Only on this machine').click()
  await expect(panel.getByText('Is this the key of train-llama-01?')).toBeVisible(reading)
  const fingerprint = await panel.getByText(/^SHA256:/).innerText()
  await pictureInBothThemes(electron, window, 'GPU host key of the first contact')
  await button(panel, 'Trust this key').click()

  await expect(gpusOf(panel)).toHaveCount(8, reading)
  await expect(gpusOf(panel).first()).toContainText('0 · NVIDIA H100 80GB HBM3')
  await expect(gpusOf(panel).first()).toContainText(/of 79\.6 GiB/)
  await expect(gpusOf(panel).first()).toContainText(/\d+ \/ 700 W/)
  await expect(panel.getByRole('table').filter({ hasText: 'python' }).getByRole('row')).toHaveCount(9)
  // It continues automatically.
  const { at } = await askBridge(window, 'gpu.state', {
    account: await selectedAccount(window),
    machine,
  })
  await expect
    .poll(async () => {
      const state = await askBridge(window, 'gpu.state', { account: await selectedAccount(window), machine })
      return (state.at ?? 0) > (at ?? 0)
    }, reading)
    .toBe(true)
  await pictureInBothThemes(electron, window, 'Eight GPUs at work')
  await window.setViewportSize({ width: 860, height: 900 })
  await pictureInBothThemes(electron, window, 'Eight GPUs, narrow')
  await window.setViewportSize({ width: 1440, height: 900 })

  // The terminal's own file contains the key from now on.
  expect(readFileSync(join(place.userData, 'known_hosts'), 'utf8')).toContain(`${machine}.`)
  await panel.getByRole('tab', { name: 'Connection' }).click()
  await expect(panel.getByText(fingerprint.slice(0, 11))).toBeVisible()
  await panel.getByRole('tab', { name: 'GPU', exact: true }).click()

  await profile(service, machine, 'crashed')
  await expect(panel.getByRole('alert')).toContainText('The GPU driver isn’t responding', reading)
  await expect(panel.getByRole('alert')).toContainText('Reboot the machine')
  await pictureInBothThemes(electron, window, 'A driver that has crashed')
  await profile(service, machine, 'inference')
  await expect(gpusOf(panel).first()).toBeVisible(reading)

  // A different key stops it, and is reviewed in the usual dialog.
  const knownHosts = join(place.userData, 'known_hosts')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(place.home, 'another')])
  const another = readFileSync(join(place.home, 'another.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
  writeFileSync(knownHosts, readFileSync(knownHosts, 'utf8').replaceAll(/ssh-ed25519 \S+/g, another))
  await button(panel, 'Stop monitoring').click()
  await button(panel, 'Only on this machine').click()
  await expect(panel.getByText('The host key has changed')).toBeVisible(reading)
  await pictureInBothThemes(electron, window, 'A host key that has changed, seen while reading GPUs')
  await button(panel, 'Review the keys…').click()
  const dialog = window.getByRole('dialog')
  await expect(dialog).toContainText(fingerprint)
  await window.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Stop monitoring is one click, and deletes the readings.
  await button(panel, 'Stop monitoring').click()
  await expect(panel.getByRole('heading', { name: 'May Wheelhouse use SSH on your machines?' })).toBeVisible()
  const account = await selectedAccount(window)
  expect(await askBridge(window, 'gpu.history', { account, machine, seconds: 3_600 })).toMatchObject({
    gpus: [],
  })
})

test('the GPUs of all machines are read after one question, compared, and no longer read', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  await window.getByRole('link', { name: 'Settings' }).click()
  const section = window.getByRole('region', { name: 'GPU monitoring' })
  const uses = window.getByRole('region', { name: 'SSH on your machines' })
  await uses.scrollIntoViewIfNeeded()
  await expect(section).toContainText('No machines monitored')
  await uses.getByText('Show the commands').click()
  await expect(uses).toContainText('env LC_ALL=C nvidia-smi --query-gpu=index,uuid,driver_version')
  await pictureInBothThemes(electron, window, 'Uses of SSH on all machines')
  await uses.getByRole('checkbox', { name: 'GPU monitoring' }).click()
  await expect(section.getByText(/^Monitoring \d+ of \d+/)).toBeVisible()
  const progress = () => askBridge(window, 'gpu.account', { account })
  await expect.poll(async () => (await progress()).pending, reading).toBe(0)
  const { all, read, total } = await progress()
  expect(all).toBe(true)
  expect(read).toBeGreaterThan(3)
  await expect(section).toContainText(`Monitoring ${String(read)} of ${String(total)}`)
  const unread = section.getByRole('list', { name: 'Machines that aren’t monitored' })
  await expect(unread).toContainText(/\d+ · Machine not running/)
  await pictureInBothThemes(electron, window, 'Reading all GPUs')

  await window.getByRole('link', { name: /^Machines/ }).click()
  for (const name of ['serve-embeddings', 'train-llama-01'])
    await machineRows(window).filter({ hasText: name }).getByRole('gridcell').first().click()
  await button(window, 'Compare load').click()
  await expect(window.getByRole('img', { name: /^GPU of serve-embeddings, train-llama-01/ })).toBeVisible()
  await expect(window.getByRole('img', { name: /^GPU memory of/ })).toBeVisible()
  await window.getByRole('img', { name: /^GPU memory of/ }).scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Two machines compared, with their GPUs')
  await window.keyboard.press('Escape')
  await expect(window.getByRole('heading', { name: 'Machines', exact: true })).toBeVisible()

  await window.getByRole('link', { name: 'Settings' }).click()
  await uses.getByRole('checkbox', { name: 'GPU monitoring' }).click()
  await button(window.getByRole('dialog', { name: 'Stop monitoring GPUs?' }), 'Stop monitoring').click()
  await expect(section).toContainText('No machines monitored')
  expect(await progress()).toMatchObject({ all: false, total: 0 })
})

test('an idle machine is found, with its wasted cost', async ({ start, service }) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const pass = (seconds: number): Promise<void> => passTime({ electron, window }, service, seconds)
  /** Makes the application check immediately. */
  const look = () => askBridge(window, 'idle.configure', { threshold: 5, minutes: 60 })

  // Without SSH the service's CPU metrics are a weaker sign, and labelled so.
  await look()
  const row = machineRows(window).filter({ hasText: 'old-experiment' })
  await expect(row).toContainText(/CPU idle \d+ d/, { timeout: 90_000 })
  const weak = await openMachine(window, 'old-experiment')
  const notice = weak.getByRole('region', { name: 'Idle' })
  await expect(notice).toContainText('GPU use not measured')
  await expect(notice).toContainText(/[\d,.]+ USD since then, at [\d.]+ USD per hour/)
  await expect(notice).toContainText('You’re billed until it’s deleted, even when stopped.')
  await pictureInBothThemes(electron, window, 'Idle by its CPU alone')

  // GPU readings make it certain.
  const machine = await machineId(window, 'notebook-anna')
  await profile(service, machine, 'idle')
  const panel = await openGpus(window, 'notebook-anna')
  await agree(panel)
  await expect(gpusOf(panel).first()).toContainText('0 %', reading)
  const chosenMetric = panel.getByLabel('Metric')
  const place = await chosenMetric.boundingBox()
  const readAt = async (): Promise<number> =>
    (await askBridge(window, 'gpu.state', { account, machine })).at ?? 0
  for (let quarter = 0; quarter < 5; quarter += 1) {
    const before = await readAt()
    await pass(840)
    await expect.poll(readAt, reading).toBeGreaterThan(before + 800)
  }
  const anna = machineRows(window).filter({ hasText: 'notebook-anna' })
  // The last reading may still be on its way to the open page.
  await expect(async () => {
    await look()
    await expect(anna).toContainText('Idle 1 h', { timeout: 3_000 })
  }).toPass(reading)
  const listed = anna.getByRole('img', { name: /^GPU .*last hour/ })
  const certain = panel.getByRole('region', { name: 'Idle' })
  await expect(certain).toContainText('GPUs idle for 1 h')
  await expect(certain.getByRole('button')).toHaveText(['Connect', 'Stop…', 'Delete…'])
  // The notice is at the foot of the panel and has moved nothing.
  expect(await chosenMetric.boundingBox()).toEqual(place)
  await pictureInBothThemes(electron, window, 'Idle by its GPUs')
  const found = await askBridge(window, 'idle.list', { account })
  const one = found.machines.find((idle) => idle.machine === machine)
  expect(one?.use).toBe('idle')
  // An hour and ten minutes, and the seconds of the readings.
  const hours = (one?.cost?.millionths ?? 0) / (one?.perHour?.millionths ?? 1)
  expect(hours).toBeGreaterThan(70 / 60)
  expect(hours).toBeLessThan(75 / 60)

  // One alert each, which opens the machine.
  const alerts = await askBridge(window, 'alerts.list', { account })
  const about = alerts.flatMap(({ cause }) => (cause.kind === 'idle' ? [cause.name] : []))
  expect(about).toContain('old-experiment')
  expect(about.filter((name) => name === 'notebook-anna')).toHaveLength(1)

  await button(panel, 'Close the panel').click()
  // The list reads loads when it opens, then once a minute.
  await openPage(window, 'Overview')
  await openPage(window, 'Machines')
  await expect(listed).toBeVisible(reading)
  await pictureInBothThemes(electron, window, 'The load of GPUs in the list')
  await window.getByRole('link', { name: 'Overview' }).click()
  await expect(window.getByRole('region', { name: 'Running' })).toContainText('Idle 1 h')
  await pictureInBothThemes(electron, window, 'Idle machines on the overview')
  // It notifies once, can be snoozed, and opens the machine to connect or end it.
  await button(window, /^Alerts and notifications: /).click()
  const attention = window.getByRole('dialog', { name: 'Alerts' })
  const alert = attention.getByRole('listitem').filter({ hasText: 'notebook-anna has been idle for 1 h' })
  await expect(alert).toHaveCount(1)
  await expect(button(alert, 'Connect to notebook-anna over SSH')).toBeVisible()
  await button(alert, /^Snooze: /).click()
  await window.keyboard.press('Enter')
  await expect(alert).toHaveCount(0)
  await expect(button(attention, '1 snoozed')).toBeVisible()
  await button(attention, /^Delete… saves [\d.]+ USD\/h: render-preview$/).click()
  const deletion = window.getByRole('dialog', { name: 'Delete render-preview?' })
  await button(deletion, 'Cancel').click()
  // The machine is idle by its CPU only.
  await window.getByText(/^Not checked \(\d+\)$/).click()
  await button(window, 'Show old-experiment').click()
  await expect(window.getByRole('complementary', { name: 'Machine old-experiment' })).toBeVisible()

  await window.getByRole('link', { name: 'Settings' }).click()
  await window.getByRole('heading', { name: 'Idle machines' }).scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'When a machine counts as idle')

  // A busy machine is no longer idle.
  await profile(service, machine, 'inference')
  await window.getByRole('link', { name: /^Machines/ }).click()
  const before = await readAt()
  await openGpus(window, 'notebook-anna')
  await expect.poll(readAt, reading).toBeGreaterThan(before)
  await look()
  await expect(anna).toContainText('Running', reading)
})
