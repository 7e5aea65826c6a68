import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AlertCause } from '#shared/bridge/alert'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuReading } from '#shared/bridge/gpu'
import type { Money } from '#shared/money/money'
import { Machine } from '#shared/service/machine'
import { fakeClock, type FakeClock } from '../../../../test/fixtures/fake-clock'
import type { FoundAlert } from '../../alerts/index'
import { machineView } from '../../fleet/machine-view'
import { openSettings } from '../../store/settings'
import { createIdle } from './index'

const account = 'abcdefghijkl'
const start = 1_795_269_600
const hour = 3_600

const gpuAt = (utilization: GpuReading['utilization']): GpuReading => ({
  ...{ id: 'gpu-0', index: 0, name: 'NVIDIA H100', utilization, memoryUsed: 1, memoryTotal: 2 },
  ...{ temperature: 30, power: 60, powerLimit: 700, clock: 300, clockMax: 1_980, memoryClock: 2_619 },
  ...{ throttle: [], eccCorrected: 0, eccUncorrected: 0, mig: false },
})

describe('idle machines', () => {
  let clock: FakeClock
  let machines: MachineView[]
  let cpu: Map<string, (time: number) => number>
  let asked: string[]
  /** Seconds of the past that the service answers about. */
  let answered: number
  let found: (readonly FoundAlert[])[]
  let standing: AlertCause[]
  let signedIn: boolean
  let idle: ReturnType<typeof createIdle>
  let folder: string

  const machine = (id: string, status = 'running'): MachineView =>
    machineView(Machine.parse({ id, name: id, status }))
  const open = () =>
    createIdle({
      accounts: {
        view: () => ({
          accounts: [
            {
              ...{ id: account, label: 'lab', baseUrl: 'https://cloud.example', credential: 'password' },
              ...{ username: 'anna', sandbox: false, staysSignedIn: true, heldUntil: null, failure: null },
              state: signedIn ? 'signed-in' : 'signed-out',
            },
          ],
          selected: account,
        }),
      },
      settings: openSettings(folder),
      machines: () => machines,
      busiest: () => [],
      cpu: (_account, id, seconds) => {
        asked.push(`${id} ${String(seconds / hour)} h`)
        const load = cpu.get(id)
        if (!load || seconds > answered) return Promise.resolve(null)
        const times = Float64Array.from(
          { length: seconds / 60 },
          (_, at) => clock.now() - seconds + (at + 1) * 60,
        )
        return Promise.resolve({ times, values: times.map(load) })
      },
      fees: (_account, ids) =>
        Promise.resolve(
          new Map(
            ids
              .filter((id) => id !== 'free')
              .map((id): [string, Money] => [id, { currency: 'USD', millionths: 3_200_000 }]),
          ),
        ),
      alerts: {
        standing: () => standing,
        check: (_account, now) => found.push(now),
      },
      clock,
      online: () => true,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
  const list = () => idle.list(account)
  /** Minutes pass in which the GPU is read at `load`. */
  const read = (id: string, minutes: number, load: GpuReading['utilization']): void => {
    for (let at = 0; at < minutes; at += 1) {
      clock.set(clock.now() + 60)
      idle.addReading(account, id, [gpuAt(load)], clock.now())
    }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wheelhouse-idle-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    clock = fakeClock(start)
    machines = [machine('m')]
    cpu = new Map()
    asked = []
    answered = Infinity
    found = []
    standing = []
    signedIn = true
    idle = open()
    onTestFinished(() => idle.close())
  })

  it('are found by their GPUs, with what the idle time has cost', async () => {
    read('m', 62, 0)
    await idle.check()
    expect(list()).toEqual([
      {
        machine: 'm',
        name: 'm',
        since: start + 60,
        strength: 'gpu',
        perHour: { currency: 'USD', millionths: 3_200_000 },
        // 61 minutes at 3.20 an hour.
        cost: { currency: 'USD', millionths: 3_253_333 },
      },
    ])
    expect(found.at(-1)).toEqual([
      { since: start + 60, cause: expect.objectContaining({ kind: 'idle', machine: 'm', strength: 'gpu' }) },
    ])
    read('m', 1, 60)
    await idle.check()
    expect(list()).toEqual([])
    expect(found.at(-1)).toEqual([])
  })

  it('are found by the CPU alone as a weaker sign, as far back as it was recorded', async () => {
    cpu.set('m', (time) => (time > start - 100 * hour ? 2 : 80))
    await idle.check()
    const [one] = list()
    expect(one).toMatchObject({ strength: 'cpu', cost: expect.objectContaining({ currency: 'USD' }) })
    expect(start - (one?.since ?? 0)).toBeGreaterThan(99 * hour)
    expect(start - (one?.since ?? 0)).toBeLessThanOrEqual(100 * hour)
    expect(asked).toEqual(['m 2 h', 'm 24 h', 'm 168 h'])
    clock.set(clock.now() + 20 * 60)
    await idle.check()
    expect(list()[0]?.since).toBe(one?.since)
    // What is known already is not asked again.
    expect(asked.slice(3)).toEqual(['m 2 h'])
  })

  it('are looked for further back again where that failed', async () => {
    cpu.set('m', (time) => (time > start - 100 * hour ? 2 : 80))
    answered = 7_200
    await idle.check()
    expect(start - (list()[0]?.since ?? 0)).toBeLessThan(2 * hour)
    answered = Infinity
    clock.set(clock.now() + 20 * 60)
    await idle.check()
    expect(start - (list()[0]?.since ?? 0)).toBeGreaterThan(99 * hour)
  })

  it('are not called idle where the GPUs work, whatever the CPU does', async () => {
    cpu.set('m', () => 1)
    read('m', 5, 97)
    await idle.check()
    expect(list()).toEqual([])
  })

  it('are not called idle where their GPUs are unknown and the CPU works', async () => {
    cpu.set('m', () => 40)
    read('m', 70, 'not-available')
    await idle.check()
    expect(list()).toEqual([])
  })

  it('are found by the CPU where the GPUs have no value, as in instances (MIG) or in error', async () => {
    cpu.set('m', () => 1)
    read('m', 2, 'not-available')
    await idle.check()
    expect(asked[0]).toBe('m 2 h')
    expect(list()).toMatchObject([{ machine: 'm', strength: 'cpu' }])
    read('m', 20, 'not-available')
    await idle.check()
    expect(list()).toMatchObject([{ machine: 'm', strength: 'cpu' }])
  })

  it('are not called idle by the CPU before their GPUs were out of work for as long', async () => {
    cpu.set('m', () => 1)
    read('m', 5, 97)
    const worked = clock.now()
    read('m', 30, 'error')
    await idle.check()
    expect(list()).toEqual([])
    read('m', 31, 'error')
    await idle.check()
    expect(list()).toMatchObject([{ strength: 'cpu', since: worked }])
  })

  it('are not called idle where one GPU has no value and another works', async () => {
    cpu.set('m', () => 1)
    clock.set(clock.now() + 60)
    idle.addReading(account, 'm', [gpuAt('error'), gpuAt(97)], clock.now())
    await idle.check()
    expect(list()).toEqual([])
  })

  it('are running; one that is stopped is idle on purpose', async () => {
    cpu.set('m', () => 1)
    machines = [machine('m', 'stopped')]
    await idle.check()
    expect(list()).toEqual([])
    expect(asked).toEqual([])
  })

  it('keep their alert while their load is unknown, and lose it once they work', async () => {
    const cause: AlertCause = { kind: 'idle', machine: 'm', name: 'm', cost: null, strength: 'cpu' }
    standing = [cause]
    signedIn = false
    await idle.check()
    expect(found).toEqual([[{ cause }]])
    signedIn = true
    cpu.set('m', () => 90)
    await idle.check()
    expect(found.at(-1)).toEqual([])
  })

  it('keep their alert while the service does not answer, whatever it answered long before', async () => {
    const cause: AlertCause = { kind: 'idle', machine: 'm', name: 'm', cost: null, strength: 'cpu' }
    standing = [cause]
    cpu.set('m', () => 1)
    await idle.check()
    expect(list()).toHaveLength(1)
    cpu.delete('m')
    clock.set(clock.now() + 2 * hour)
    await idle.check()
    expect(list()).toEqual([])
    expect(found.at(-1)).toEqual([{ cause }])

    cpu.set('m', () => 90)
    clock.set(clock.now() + hour)
    await idle.check()
    expect(found.at(-1)).toEqual([])
    cpu.delete('m')
    read('m', 62, 0)
    await idle.check()
    expect(list()).toHaveLength(1)
    // The computer sleeps: neither way says anything after it.
    clock.set(clock.now() + 8 * hour)
    await idle.check()
    expect(found.at(-1)).toEqual([{ cause }])
  })

  it('are not checked before the fleet was read', async () => {
    machines = []
    await idle.check()
    expect(found).toEqual([])
  })

  it('have their CPU read sparingly: twenty at a time, each at most every 15 minutes', async () => {
    machines = Array.from({ length: 50 }, (_, at) => machine(`m${String(at)}`))
    for (const { id } of machines) cpu.set(id, () => 50)
    for (let check = 0; check < 14; check += 1) {
      await idle.check()
      clock.set(clock.now() + 60)
    }
    expect(asked).toHaveLength(50)
    expect(new Set(asked).size).toBe(50)
  })

  it('are found in the background too, and since when once the window is open or by and by', async () => {
    machines = Array.from({ length: 10 }, (_, at) => machine(`m${String(at)}`))
    for (const { id } of machines) cpu.set(id, () => 1)
    const days = (): number => asked.reduce((sum, one) => sum + Number(one.split(' ')[1]) / 24, 0)
    await idle.check()
    expect(list()).toHaveLength(10)
    // 90 days of the past, the rest of the reading that went beyond, and two hours of each.
    expect(days()).toBeLessThan(90 + 30 + 1)
    const monthsRead = () => asked.filter((one) => one.endsWith(' 720 h')).length
    const before = monthsRead()
    expect(before).toBeLessThan(10)
    clock.set(clock.now() + 30 * 60)
    await idle.check()
    expect(monthsRead() - before).toBeGreaterThan(0)
    idle.windowChanged(true)
    await expect.poll(monthsRead).toBe(10)
    expect(new Set(asked.filter((one) => one.endsWith(' 720 h'))).size).toBe(10)
  })

  const idleMachines = (count: number): void => {
    machines = Array.from({ length: count }, (_, at) => machine(`m${String(at)}`))
    for (const { id } of machines) cpu.set(id, () => 1)
  }
  /** A check a minute, as in the background. */
  const checkFor = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      clock.set(clock.now() + 60)
      await idle.check()
    }
  }

  it.each([24, 7 * 24])('are found in the background under a rule of %i hours', async (hours) => {
    machines = []
    await idle.handlers['idle.configure']({ threshold: 5, minutes: hours * 60 })
    idleMachines(20)
    await idle.check()
    expect(list()).toHaveLength(20)
    const readTwice = () => asked.filter((one) => one.endsWith(' 24 h')).length - 20
    await checkFor(60)
    expect(list()).toHaveLength(20)
    // What is known to be idle is not read again.
    expect(readTwice()).toBe(0)
  })

  it('show in the background since when, machine by machine, however many there are', async () => {
    idleMachines(300)
    const beginnings = () => list().filter(({ since }) => since < start - 29 * 24 * hour).length
    await checkFor(20)
    expect(list()).toHaveLength(300)
    let known = beginnings()
    expect(known).toBeLessThan(10)
    for (let passed = 0; passed < 4; passed += 1) {
      await checkFor(60)
      // Two days of the past a minute are three machines an hour.
      expect(beginnings()).toBeGreaterThanOrEqual(known + 3)
      known = beginnings()
    }
    expect(known).toBeLessThan(30)
  })

  it('follow the rule that the person sets', async () => {
    read('m', 40, 8)
    await idle.check()
    expect(list()).toEqual([])
    await idle.handlers['idle.configure']({ threshold: 10, minutes: 30 })
    read('m', 32, 8)
    await idle.check()
    expect(list()).toMatchObject([{ strength: 'gpu' }])
    expect(await idle.handlers['idle.settings']({})).toEqual({ threshold: 10, minutes: 30 })
  })

  it('are listed also where their price is unknown', async () => {
    machines = [machine('free')]
    read('free', 62, 0)
    await idle.check()
    expect(list()).toMatchObject([{ cost: null, perHour: null }])
  })
})
