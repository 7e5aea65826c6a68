import { volumeTypes } from '../../src/sandbox/cloud/catalog'
import { expect, test } from './fixtures'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { byMouse } from './support/hand'
import {
  askFor,
  attachAndDetach,
  createMachine,
  createVolume,
  enter,
  lookInside,
  openFirewallForHttps,
  openVolumesOfMachine,
  prepareSsh,
} from './support/machine-day'
import { pictureOfWindow } from './support/pictures'
import { readableXterms } from './support/screen'

test.use({ needs: ['ssh', 'xterm'] })
// A whole day of many readings.
test.setTimeout(300_000)

test('the same day at a service without extensions explains missing parts @deep', async ({
  start,
  startService,
  place,
}) => {
  const service = await startService({ extensions: false })
  const xterms = readableXterms(place.home)
  const { window, electron } = await start(xterms.env)
  const day = { window, electron, hand: byMouse, service, machine: 'one-day', volume: 'one-day-data' }
  await enter(day)
  await prepareSsh(day)

  // Regions are the names in flavors and images.
  const created = await createMachine(day)
  await lookInside(day, created, xterms)
  await openFirewallForHttps(day, created)

  // The type of a volume is typed, and its known details are merged.
  const type = volumeTypes.find(({ region }) => region.name === 'Oslo')
  if (!type) throw new Error('Oslo has no volume types')
  await createVolume(day, { type: type.id })
  await expect(window.getByText('The service can’t list volumes.')).toBeVisible()
  const panel = await openVolumesOfMachine(day)
  await attachAndDetach(day, panel)

  for (const action of ['Stop', 'Delete'] as const) {
    const asking = await askFor(day, panel, action)
    await expect(asking).toContainText('The service may refuse to')
    if (action === 'Delete') await asking.getByLabel(`Type ${day.machine}`).fill(day.machine)
    await asking.getByRole('button', { name: action, exact: true }).click()
    await expect(asking).toContainText('Not supported by this service')
    await asking.getByRole('button', { name: 'Close' }).last().click()
  }
  await panel.getByRole('button', { name: `Actions for ${day.machine}` }).click()
  for (const item of ['Stop…', 'Delete…'])
    await expect(window.getByRole('menuitem', { name: item })).toContainText('Not supported by this service')
  await pictureOfWindow(window, 'A day without extensions, the menu')
  await window.keyboard.press('Escape')

  await window.getByRole('link', { name: 'API tokens' }).click()
  await window.getByRole('button', { name: 'Create a token' }).click()
  const form = window.getByRole('dialog', { name: 'Create an API token' })
  await form.getByLabel('Name').fill('notebook')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(window.getByText('This service doesn’t let apps create tokens.').first()).toBeVisible()
  await pictureOfWindow(window, 'A day without extensions, API tokens')

  // Nothing broke: operations of the specification ran once each, and the machine still runs.
  const requests = await requestsTo(service)
  for (const done of ['POST /virtual-machines', 'POST /volumes', 'POST /api-tokens'])
    expect(requests.filter((request) => request === done)).toHaveLength(1)
  expect(requests.filter((request) => request.endsWith('/stop'))).toHaveLength(1)
  expect((await stateOf(service)).machines.map(({ name }) => name)).toContain(day.machine)
})
