import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Alert } from '#shared/bridge/alert'
import { countWrites } from '../../../test/fixtures/counted-writes'
import { type FakeClock, fakeClock } from '../../../test/fixtures/fake-clock'
import { openSettings, type SettingsStore } from '../store/settings'
import { createAlerts, type FoundAlert } from './index'

const account = 'abcdefghijkl'
const hour = 3_600
const limit = { currency: 'USD', millionths: 20_000_000 }
const running = (machine: string): FoundAlert => ({
  cause: { kind: 'long-running', machine, name: machine, hours: 8, perHour: null, cost: null },
})
const spending = (dollars: number): FoundAlert => ({
  cause: { kind: 'hourly-limit', perHour: { currency: 'USD', millionths: dollars * 1_000_000 }, limit },
})

describe('alerts', () => {
  let folder: string
  let settings: SettingsStore
  let clock: FakeClock
  let notified: string[]
  let alerts: ReturnType<typeof createAlerts>

  const open = () => {
    settings = openSettings(folder)
    return createAlerts({
      documents: settings,
      clock,
      notify: (_, begun) => notified.push(begun.map(({ id }) => id).join(' ')),
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
  }
  async function restart(): Promise<void> {
    await alerts.close()
    alerts = open()
  }
  const list = (): Promise<Alert[]> => Promise.resolve(alerts.handlers['alerts.list']({ account }))
  const only = async (): Promise<Alert> => {
    const [alert] = await list()
    if (!alert) throw new Error('an alert stands')
    return alert
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-alerts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    clock = fakeClock(1_000_000)
    notified = []
    alerts = open()
    onTestFinished(() => settings.close())
  })

  it('are written when one begins or ends, and not at every check', async () => {
    const { documents, writes } = countWrites(settings)
    const counted = createAlerts({
      documents,
      clock,
      notify: () => undefined,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    onTestFinished(() => counted.close())
    for (const dollars of [21, 22, 23]) {
      counted.check(account, 'machines', [running('a')])
      counted.check(account, 'rate', [spending(dollars)])
      counted.check(account, 'budget', [])
    }
    expect(writes()).toBe(2)
    expect(counted.list(account).map(({ cause }) => cause)).toContainEqual(spending(23).cause)
    counted.check(account, 'machines', [])
    expect(writes()).toBe(3)
  })

  it('survive a restart without a second notification, and stand while nothing can be checked', async () => {
    alerts.check(account, 'machines', [running('a')])
    await restart()
    expect(await list()).toMatchObject([{ since: 1_000_000, cause: { machine: 'a' } }])
    clock.set(clock.now() + hour)
    alerts.check(account, 'machines', [running('a')])
    expect(notified).toHaveLength(1)
    alerts.check(account, 'machines', [])
    expect(await list()).toEqual([])
    await restart()
    expect(await list()).toEqual([])
    alerts.check(account, 'machines', [running('a')])
    expect(notified).toHaveLength(2)
  })

  it('that begin together are notified together', () => {
    alerts.check(account, 'machines', [running('a'), running('b')])
    expect(notified).toHaveLength(1)
  })

  it('stay snoozed over a restart, and are notified once more if they still hold', async () => {
    alerts.check(account, 'rate', [spending(25)])
    const { id } = await only()
    await alerts.handlers['alerts.snooze']({ account, alert: id, length: 'hour' })
    await restart()
    alerts.check(account, 'rate', [spending(26)])
    expect(await only()).toMatchObject({ snoozedUntil: 1_000_000 + hour })
    clock.advance(hour - 1)
    expect(notified).toHaveLength(1)
    clock.advance(1)
    expect(notified).toEqual([id, id])
    expect(await only()).toMatchObject({ snoozedUntil: null })
    clock.advance(24 * hour)
    expect(notified).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })

  it('whose snooze ended while they cannot be checked wait until they can', async () => {
    alerts.check(account, 'rate', [spending(25)])
    const { id } = await only()
    await alerts.handlers['alerts.snooze']({ account, alert: id, length: 'hour' })
    await restart()
    clock.advance(2 * hour)
    expect(notified).toHaveLength(1)
    alerts.check(account, 'rate', [spending(25)])
    expect(notified).toHaveLength(2)
  })

  it('can be woken by the user, silently', async () => {
    alerts.check(account, 'rate', [spending(25)])
    const { id } = await only()
    await alerts.handlers['alerts.snooze']({ account, alert: id, length: 'week' })
    await alerts.handlers['alerts.snooze']({ account, alert: id, length: null })
    expect(await only()).toMatchObject({ snoozedUntil: null })
    alerts.check(account, 'rate', [spending(25)])
    expect(notified).toHaveLength(1)
  })

  it('can be dismissed over a restart, and are notified when the cause begins again', async () => {
    alerts.check(account, 'rate', [spending(25)])
    const { id } = await only()
    await alerts.handlers['alerts.dismiss']({ account, alert: id })
    await restart()
    alerts.check(account, 'rate', [spending(25)])
    expect(await list()).toEqual([])
    alerts.check(account, 'rate', [])
    alerts.check(account, 'rate', [spending(25)])
    expect(notified).toHaveLength(2)
    await expect(alerts.handlers['alerts.dismiss']({ account, alert: 'another' })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'alert' },
    })
  })

  it('emit each visible change once, and write nothing if only amounts change', async () => {
    const seen: unknown[] = []
    alerts.events['alerts.changed']((change) => seen.push(change.alerts))
    alerts.check(account, 'rate', [spending(25)])
    alerts.check(account, 'rate', [spending(25)])
    expect(seen).toHaveLength(1)
    await settings.flushed()
    alerts.check(account, 'rate', [spending(26)])
    expect(seen).toHaveLength(2)
    await restart()
    expect(await only()).toMatchObject({ cause: { perHour: { millionths: 25_000_000 } } })
  })

  it('are on disk once closed, and nothing is written afterwards', async () => {
    const onDisk = () => readFile(join(folder, 'settings.json'), 'utf8')
    alerts.check(account, 'rate', [spending(25)])
    await alerts.close()
    const closed = await onDisk()
    expect(closed).toContain('hourly-limit')
    alerts.check(account, 'rate', [])
    clock.advance(24 * hour)
    await settings.flushed()
    expect(await onDisk()).toBe(closed)
    expect(clock.pending()).toBe(0)
  })

  it('store the limits of each account, and delete everything with it', async () => {
    const limits = { budget: null, perHour: limit, runningHours: 24, balanceDays: null }
    const changed: string[] = []
    alerts.onLimits((of) => changed.push(of))
    expect(alerts.limits(account)).toEqual({
      budget: null,
      perHour: null,
      runningHours: null,
      balanceDays: 3,
    })
    await alerts.handlers['alerts.setLimits']({ account, limits })
    expect(changed).toEqual([account])
    alerts.check(account, 'rate', [spending(25)])
    await restart()
    expect(alerts.limits(account)).toEqual(limits)
    await alerts.forgetAccount(account)
    await restart()
    expect(alerts.limits(account).perHour).toBeNull()
    expect(await list()).toEqual([])
  })
})
