import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Reminder } from '#shared/bridge/reminder'
import { openSettings, type SettingsStore } from '../store/settings'
import { createReminders } from './index'

const account = 'abcdefghijkl'
const day = 86_400

describe('reminders', () => {
  let folder: string
  let settings: SettingsStore
  let clock: number
  let told: string[]
  let bell: { at: number; task: () => void } | undefined
  let reminders: ReturnType<typeof createReminders>

  const open = () => {
    settings = openSettings(folder)
    return createReminders({
      settings,
      now: () => clock,
      after: (seconds, task) => {
        const mine = { at: clock + seconds, task }
        bell = mine
        return () => {
          if (bell === mine) bell = undefined
        }
      },
      nameOf: (_, machine) => (machine === 'unknown' ? undefined : `name of ${machine}`),
      tell: ({ name, at }) => told.push(`${name} at ${String(at)}`),
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
  }
  const add = (machine: string, at: number) =>
    Promise.resolve(reminders.handlers['reminders.add']({ account, machine, at }))
  const list = (): Promise<Reminder[]> => Promise.resolve(reminders.handlers['reminders.list']({ account }))

  /** The clock goes on, and timers ring on their way. */
  function pass(seconds: number): void {
    const end = clock + seconds
    while (bell && bell.at <= end) {
      const { at, task } = bell
      bell = undefined
      clock = at
      task()
    }
    clock = end
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-reminders-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    clock = 1_000_000
    told = []
    bell = undefined
    reminders = open()
    reminders.start()
    onTestFinished(() => settings.flushed())
  })

  it('tell when their time has come, each once, soonest first', async () => {
    await add('late', clock + 7_200)
    await add('soon', clock + 3_600)
    expect((await list()).map(({ machine }) => machine)).toEqual(['soon', 'late'])
    pass(3_599)
    expect(told).toEqual([])
    pass(1)
    expect(told).toEqual(['name of soon at 1003600'])
    pass(day)
    expect(told).toEqual(['name of soon at 1003600', 'name of late at 1007200'])
    expect(bell).toBeUndefined()
  })

  it('survive a restart; what was due meanwhile is told at the start', async () => {
    await add('m', clock + 3_600)
    await add('n', clock + day)
    reminders.close()
    clock += 7_200
    reminders = open()
    expect(told).toEqual([])
    reminders.start()
    expect(told).toEqual(['name of m at 1003600'])
    await settings.flushed()
    reminders = open()
    reminders.start()
    expect(told).toHaveLength(1)
    expect((await list()).map(({ machine, told: was }) => [machine, was])).toEqual([
      ['m', true],
      ['n', false],
    ])
  })

  it('tell soon after a computer wakes up, whose timers stood still', async () => {
    await add('m', clock + 3_600)
    const waiting = bell
    clock += 10_000
    expect((waiting?.at ?? 0) - 1_000_000).toBeLessThanOrEqual(30)
    waiting?.task()
    expect(told).toHaveLength(1)
  })

  it('do not tell once they are cancelled, once their machine is gone, or once their account is forgotten', async () => {
    const { id } = await add('cancelled', clock + 60)
    await add('gone', clock + 60)
    await add('forgotten', clock + 60)
    await reminders.handlers['reminders.cancel']({ account, reminder: id })
    await reminders.forget(account, ['gone'])
    expect((await list()).map(({ machine }) => machine)).toEqual(['forgotten'])
    await reminders.forgetAccount(account)
    pass(day)
    expect(told).toEqual([])
  })

  it('lie ahead, within a year, and are of a machine that is known', async () => {
    for (const at of [clock, clock - 1, clock + 367 * day])
      await expect(add('m', at)).rejects.toMatchObject({ failure: { field: 'at', reason: 'out-of-range' } })
    await expect(add('unknown', clock + 60)).rejects.toMatchObject({ failure: { field: 'machine' } })
    expect(await list()).toEqual([])
  })
})
