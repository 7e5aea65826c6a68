import { volumeTypes } from '../../src/sandbox/cloud/catalog'
import { everyHabit } from '../fixtures/odd-service/index'
import { expect, test } from './fixtures'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { byMouse } from './support/hand'
import {
  attachAndDetach,
  createMachine,
  createVolume,
  enter,
  openFirewallForHttps,
  openVolumesOfMachine,
  prepareSsh,
  stopAndDelete,
} from './support/machine-day'
import { pictureOfWindow } from './support/pictures'
import { machineNames } from './support/window'

// A whole day of many short pages.
test.setTimeout(300_000)

const typeInOslo = volumeTypes.find(({ region }) => region.name === 'Oslo')?.id ?? ''

test('the day of a machine at a service with all unusual habits', async ({ start, startService }) => {
  const service = await startService({ habits: everyHabit })
  const { window, electron } = await start()
  const day = { window, electron, hand: byMouse, service, machine: 'odd-day', volume: 'odd-day-data' }
  await enter(day)
  await prepareSsh(day)

  // Every machine once, and unreadable records are reported.
  const { machines } = await stateOf(service)
  await expect
    .poll(async () => (await machineNames(window)).toSorted())
    .toEqual(machines.map(({ name }) => name).toSorted())
  const notice = window.getByRole('status').filter({ hasText: /unreadable record/ })
  await expect(notice).toContainText('2 unreadable records')
  await notice.getByRole('button', { name: 'Copy raw data' }).click()
  const copied = await electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toContain('"name":"odd-without-id"')
  expect(copied).not.toContain('odd-secret')
  await pictureOfWindow(window, 'Odd service, machines')

  const created = await createMachine(day)
  await created.getByRole('tab', { name: 'Connection' }).click()
  await expect(created.getByText(/^ssh /).first()).toBeVisible()
  await openFirewallForHttps(day, created)
  await pictureOfWindow(window, 'Odd service, firewall')
  await createVolume(day, { type: typeInOslo })
  await expect(window.getByText('The service can’t list volumes.')).toBeVisible()
  await pictureOfWindow(window, 'Odd service, volumes')
  const panel = await openVolumesOfMachine(day)
  await attachAndDetach(day, panel)

  await window.getByRole('link', { name: /^Billing/ }).click()
  // Statements are refused here: this is a usage record.
  await expect(notice).toContainText('1 unreadable record', { timeout: 60_000 })
  await pictureOfWindow(window, 'Odd service, billing')
  await window.getByRole('link', { name: 'API tokens' }).click()
  await expect(notice).toContainText('2 unreadable records')
  await window.getByRole('link', { name: 'Catalog' }).click()
  await expect(window.getByRole('grid').getByRole('row').nth(1)).toBeVisible()

  const again = await openVolumesOfMachine(day)
  await stopAndDelete(day, again)
  expect((await stateOf(service)).machines.map(({ name }) => name)).not.toContain(day.machine)
  const posts = (await requestsTo(service)).filter((request) => request.startsWith('POST'))
  expect(posts.filter((request) => !request.includes('login'))).toHaveLength(4)
})
