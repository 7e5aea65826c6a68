import { expect, it } from 'vitest'
import type { SshStop } from '#shared/bridge/ssh-link'
import { createAlerts, type FoundAlert } from '../../src/main/alerts/index'
import { openStops } from '../../src/main/ssh/machines/stopped-machines'
import { fakeClock } from '../fixtures/fake-clock'
import { installation } from '../fixtures/private-documents'

const [mine, other] = ['abcdefghij12', 'klmnopqrst34']
const day = 86_400
const start = 1_790_000_000

const longRunning = (machine: string): FoundAlert => ({
  cause: { kind: 'long-running', machine, name: machine, hours: 24, perHour: null, cost: null },
  since: start - 2 * day,
})

/** Alerts and stops of one installation, over restarts. */
function restarts() {
  const { start: open } = installation()
  const clock = fakeClock(start)
  const notified: string[] = []
  return {
    clock,
    notified,
    async begin() {
      const { documents, open: openStore, quit } = open()
      const report = (_: string, error: unknown): never => {
        throw error
      }
      const alerts = createAlerts({
        documents,
        clock,
        notify: (account, found) => notified.push(...found.map(({ id }) => `${account}: ${id}`)),
        report,
      })
      const stops = openStops(documents, report)
      await openStore()
      return { alerts, stops, quit: async () => (await alerts.close(), quit()) }
    },
  }
}

it('alerts of two accounts survive a restart, notify once each, and end with a deleted machine', async () => {
  const { notified, begin } = restarts()
  const first = await begin()
  for (const account of [mine, other])
    first.alerts.check(account, 'machines', [longRunning('vm-1'), longRunning('vm-2')])
  expect(notified).toHaveLength(4)
  await first.quit()

  const second = await begin()
  expect([mine, other].map((account) => second.alerts.list(account).length)).toEqual([2, 2])
  second.alerts.check(mine, 'machines', [longRunning('vm-2')])
  second.alerts.check(other, 'machines', [longRunning('vm-1'), longRunning('vm-2')])
  expect(notified).toHaveLength(4)
  expect([mine, other].map((account) => second.alerts.list(account).length)).toEqual([1, 2])
  await second.quit()

  const third = await begin()
  third.alerts.check(mine, 'machines', [longRunning('vm-1'), longRunning('vm-2')])
  expect(notified).toHaveLength(5)
  await third.quit()
})

it('a snooze ends if the clock was set back before it, but not after a small correction', async () => {
  const { clock, notified, begin } = restarts()
  const first = await begin()
  first.alerts.check(mine, 'machines', [longRunning('vm-1')])
  const [alert] = first.alerts.list(mine)
  await first.alerts.handlers['alerts.snooze']({ account: mine, alert: alert?.id ?? '', length: 'week' })
  await first.quit()

  clock.set(start - 3_600)
  const corrected = await begin()
  corrected.alerts.check(mine, 'machines', [longRunning('vm-1')])
  expect(notified).toHaveLength(1)
  await corrected.quit()

  clock.set(start - 400 * day)
  const setBack = await begin()
  setBack.alerts.check(mine, 'machines', [longRunning('vm-1')])
  expect(notified).toHaveLength(2)
  expect(setBack.alerts.list(mine)).toMatchObject([{ snoozedUntil: null }])
  await setBack.quit()
})

it('a key refused by a machine is not offered after a restart to this machine of this account', async () => {
  const { begin } = restarts()
  const stop = {
    kind: 'key-refused',
    user: 'ubuntu',
    host: '10.0.0.1',
    keys: ['~/.ssh/id'],
  } satisfies SshStop
  const first = await begin()
  first.stops.follow(mine, 'vm-1', 'place', { kind: 'stopped', stop })
  await first.quit()
  const second = await begin()
  expect(second.stops.of(mine, 'vm-1', 'place')).toEqual(stop)
  expect(second.stops.of(mine, 'vm-1', 'another')).toBeUndefined()
  expect(second.stops.of(other, 'vm-1', 'place')).toBeUndefined()
  second.stops.drop(other, null)
  expect(second.stops.of(mine, 'vm-1', 'place')).toEqual(stop)
  second.stops.drop(mine, null)
  await second.quit()
  expect((await begin()).stops.of(mine, 'vm-1', 'place')).toBeUndefined()
})
