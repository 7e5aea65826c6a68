import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import type { Reminder } from '#shared/bridge/reminder'
import { FailureError } from '#shared/failure'
import { fakeClock, type FakeClock } from '../../../test/fixtures/fake-clock'
import { createEmitter, type Emitter } from '#shared/emitter'
import type { GoneMachines } from '../fleet/index'
import { machineView } from '../fleet/machine-view'
import { openSettings, type SettingsStore } from '../store/settings'
import { createReminders } from './index'

const account = 'abcdefghijkl'
const day = 86_400
const machine = (id: string) => machineView({ id, name: `name of ${id}` })

describe('reminders', () => {
  let folder: string
  let settings: SettingsStore
  let clock: FakeClock
  let gone: Emitter<GoneMachines>
  let changes: Emitter<FleetChange>
  let due: string[]
  /** Seconds of the waiting timers. */
  let waits: number[]
  let notices: string[]
  let reminders: ReturnType<typeof createReminders>
  /** Machines that no list contains any more. */
  let deleted: string[]
  const isDeleted = (id: string): boolean => deleted.includes(id)

  const open = () => {
    settings = openSettings(folder)
    const opened = createReminders({
      documents: settings,
      clock: {
        now: clock.now,
        after(seconds, task) {
          waits.push(seconds)
          return clock.after(seconds, task)
        },
      },
      fleet: {
        view: (_, id) => (id === 'unknown' || isDeleted(id) ? undefined : machine(id)),
        onGone: gone.on,
        onChange: changes.on,
      },
      machine: () =>
        Promise.reject(new FailureError({ kind: 'refused-by-service', status: 404, message: '' })),
      showNotification: (_kind, { title }) => notices.push(title),
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    opened.events['reminders.due'](({ name, at }) => due.push(`${name} at ${String(at)}`))
    return opened
  }
  const add = (machine: string, at: number) =>
    Promise.resolve(reminders.handlers['reminders.add']({ account, machine, at }))
  const list = (): Promise<Reminder[]> => Promise.resolve(reminders.handlers['reminders.list']({ account }))

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-reminders-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    clock = fakeClock(1_000_000)
    gone = createEmitter()
    changes = createEmitter()
    due = []
    deleted = []
    waits = []
    notices = []
    reminders = open()
    reminders.start()
    onTestFinished(() => settings.close())
  })

  it('are forgotten if their machine was deleted while the application was closed', async () => {
    await add('deleted', clock.now() + day)
    await add('there', clock.now() + day)
    deleted = ['deleted']
    const forgotten = new Promise<void>((resolve) => reminders.events['reminders.changed'](() => resolve()))
    for (const asOf of [1, 2]) {
      const status = { asOf, reading: false, total: null, failure: null }
      changes.emit({ account, revision: asOf, upserts: [], removes: [], status })
    }
    await forgotten
    expect((await list()).map(({ machine }) => machine)).toEqual(['there'])
  })

  it('notify when they are due, each once, soonest first', async () => {
    await add('late', clock.now() + 7_200)
    await add('soon', clock.now() + 3_600)
    expect((await list()).map(({ machine }) => machine)).toEqual(['soon', 'late'])
    clock.advance(3_599)
    expect(due).toEqual([])
    clock.advance(1)
    expect(due).toEqual(['name of soon at 1003600'])
    clock.advance(day)
    expect(due).toEqual(['name of soon at 1003600', 'name of late at 1007200'])
    expect(clock.pending()).toBe(0)
  })

  it('survive a restart; overdue ones are shown at the start', async () => {
    await add('m', clock.now() + 3_600)
    await add('n', clock.now() + day)
    reminders.close()
    clock.set(clock.now() + 7_200)
    reminders = open()
    expect(due).toEqual([])
    reminders.start()
    expect(due).toEqual(['name of m at 1003600'])
    await settings.flushed()
    reminders = open()
    reminders.start()
    expect(due).toHaveLength(1)
    expect((await list()).map(({ machine, notified }) => [machine, notified])).toEqual([
      ['m', true],
      ['n', false],
    ])
  })

  it('notify soon after the computer wakes up, although timers stopped', async () => {
    await add('m', clock.now() + 3_600)
    clock.set(clock.now() + 10_000)
    expect(due).toEqual([])
    expect(Math.max(...waits)).toBeLessThanOrEqual(30)
    clock.advance(0)
    expect(due).toHaveLength(1)
  })

  it('do not notify after they are cancelled, their machine is gone or their account is forgotten', async () => {
    const { id } = await add('cancelled', clock.now() + 60)
    await add('gone', clock.now() + 60)
    await add('forgotten', clock.now() + 60)
    await reminders.handlers['reminders.cancel']({ account, reminder: id })
    gone.emit({ account, machines: [machine('gone')], expected: false })
    expect((await list()).map(({ machine }) => machine)).toEqual(['forgotten'])
    await reminders.forgetAccount(account)
    clock.advance(day)
    expect(due).toEqual([])
  })

  it('must be in the future, within a year, and for a known machine', async () => {
    for (const at of [clock.now(), clock.now() - 1, clock.now() + 367 * day])
      await expect(add('m', at)).rejects.toMatchObject({ failure: { field: 'at', reason: 'out-of-range' } })
    await expect(add('unknown', clock.now() + 60)).rejects.toMatchObject({ failure: { field: 'machine' } })
    expect(await list()).toEqual([])
  })
})
