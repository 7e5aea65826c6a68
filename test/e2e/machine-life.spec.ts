import { expect, test } from './fixtures'
import { requestsTo, stateOf } from '../fixtures/sandbox-control'
import { byKeyboard, byMouse, byTripleClick } from './support/hand'
import {
  attachAndDetach,
  createMachine,
  createVolume,
  enter,
  lookInside,
  openFirewallForHttps,
  openVolumesOfMachine,
  prepareSsh,
  stopAndDelete,
} from './support/machine-day'
import { pictureOfWindow } from './support/pictures'
import { readableXterms } from './support/screen'

test.use({ needs: ['ssh', 'xterm'] })
// A whole day of many readings.
test.setTimeout(240_000)

for (const { way, handOf } of [
  { way: 'by mouse', handOf: () => byMouse },
  { way: 'by keyboard alone', handOf: byKeyboard },
  { way: 'with three clicks for each', handOf: () => byTripleClick },
])
  test(`the whole life of a machine, ${way}${way === 'by mouse' ? '' : ' @deep'}`, async ({
    start,
    place,
    service,
  }) => {
    const xterms = readableXterms(place.home)
    const { window, electron } = await start(xterms.env)
    const day = {
      window,
      electron,
      hand: handOf(window),
      service,
      machine: 'one-day',
      volume: 'one-day-data',
    }
    await enter(day)
    await prepareSsh(day)
    const created = await createMachine(day)
    await lookInside(day, created, xterms)
    await openFirewallForHttps(day, created)
    await createVolume(day)
    const panel = await openVolumesOfMachine(day)
    await attachAndDetach(day, panel)
    await pictureOfWindow(window, `A day ${way}, before its end`)
    await stopAndDelete(day, panel)

    expect((await stateOf(service)).machines.map(({ name }) => name)).not.toContain(day.machine)
    const changes = (await requestsTo(service))
      .filter((request) => !request.startsWith('GET') || request.endsWith('/stop'))
      .map((request) => request.replaceAll(/[0-9a-f]{8,}[0-9a-f-]*/g, '{id}'))
      .filter((request) => request !== 'POST /authenticate/login')
    expect(changes).toEqual([
      'POST /virtual-machines',
      'POST /virtual-machines/{id}/firewall-rules',
      'POST /volumes',
      'POST /virtual-machines/{id}/volumes',
      'DELETE /virtual-machines/{id}/volumes/{id}',
      'GET /virtual-machines/{id}/stop',
      'DELETE /virtual-machines/{id}',
    ])
  })
