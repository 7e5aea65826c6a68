import { describe, expect, it } from 'vitest'
import type { AlertCause } from '#shared/bridge/alert'
import {
  account,
  gpuAt,
  hour,
  idleHarness,
  machineNamed,
  start,
} from '../../../../test/fixtures/idle-harness'

describe('idle machines', () => {
  const { world, idle, list, unmeasured, unusedGpus, read, readGpus } = idleHarness()

  it('are found by their GPUs, with the cost of the idle time', async () => {
    read('m', 62, 0)
    await idle().check()
    expect(list()).toEqual([
      {
        machine: 'm',
        name: 'm',
        since: start + 60,
        use: 'idle',
        held: null,
        basis: 'gpu',
        perHour: { currency: 'USD', millionths: 3_200_000 },
        // 61 minutes at 3.20 per hour.
        cost: { currency: 'USD', millionths: 3_253_333 },
      },
    ])
    expect(world.found.at(-1)).toEqual([
      { since: start + 60, cause: expect.objectContaining({ kind: 'idle', machine: 'm', use: 'idle' }) },
    ])
    read('m', 1, 60)
    await idle().check()
    expect(list()).toEqual([])
    expect(world.found.at(-1)).toEqual([])
  })

  it('are not idle while one GPU works, but each unused GPU is listed with its own verdict', async () => {
    const gpus = (last: number) =>
      [90, 0, 0, last].map((utilization, index) => ({
        ...gpuAt(utilization),
        id: `gpu-${String(index)}`,
        index,
        memoryUsed: index === 2 ? 10_767 : 4,
      }))
    readGpus('m', 30, gpus(90))
    readGpus('m', 62, gpus(0))
    await idle().check()
    expect(list()).toEqual([])
    expect(unusedGpus().map(({ index, use, since }) => [index, use, since])).toEqual([
      [1, 'idle', start + 60],
      [2, 'held', start + 60],
      [3, 'idle', start + 31 * 60],
    ])
    readGpus('m', 1, gpus(50))
    await expect.poll(() => unusedGpus().map(({ index }) => index)).toEqual([1, 2])
  })

  it('list their only GPU with the verdict of the machine', async () => {
    read('m', 62, 0)
    await idle().check()
    const [one] = list()
    expect(unusedGpus()).toEqual([
      { machine: 'm', index: 0, since: one?.since, use: 'idle', held: null, basis: 'gpu' },
    ])
  })

  it('include monitored bare metal by its GPUs only, without an alert', async () => {
    world.instances = [machineNamed('metal')]
    world.machines = []
    read('metal', 62, 0)
    await idle().check()
    expect(list()).toEqual([])
    world.isMonitored = true
    await idle().check()
    expect(list()).toMatchObject([{ machine: 'metal', use: 'idle' }])
    world.machines = [machineNamed('m')]
    await idle().check()
    expect(world.found.at(-1)).toEqual([])
    expect(world.asked.every((question) => question.startsWith('m '))).toBe(true)
  })

  it('are listed, but not idle for an automatic end after three minutes without readings', async () => {
    const since = () => idle().gpusIdleSince(account, 'm', 30)
    for (let turn = 0; turn < 12; turn += 1) {
      read('m', 3, 0)
      world.clock.set(world.clock.now() + 420)
    }
    await idle().check()
    expect([list().map(({ use }) => use), since()]).toEqual([['idle'], null])
    read('m', 32, 0)
    expect(since()).toBe(world.clock.now() - 31 * 60)
    world.clock.set(world.clock.now() + 181)
    expect(since()).toBeNull()
  })

  it('are unmeasured while only their CPU is known, until a reading and again an hour after it', async () => {
    const [machine] = world.machines
    if (!machine) expect.fail()
    world.machines = [{ ...machine, flavor: { ...machine.flavor, gpu: 'H100', gpuCount: 1 } }]
    world.cpu.set('m', () => 2)
    await idle().check()
    expect([list().map(({ use }) => use), unmeasured()]).toEqual([['cpu-idle'], ['m']])
    read('m', 1, 0)
    expect(unmeasured()).toEqual([])
    await idle().check()
    expect(unmeasured()).toEqual([])
    world.clock.set(world.clock.now() + hour)
    await idle().check()
    expect(unmeasured()).toEqual(['m'])
  })

  it('are found by the CPU because the GPUs are not monitored, or because they report no use', async () => {
    world.cpu.set('m', () => 2)
    await idle().check()
    expect(list()).toMatchObject([{ use: 'cpu-idle', basis: 'unmonitored' }])
    world.isMonitored = true
    read('m', 1, 'not-available')
    await idle().check()
    expect(list()).toMatchObject([{ use: 'cpu-idle', basis: 'unreported' }])
  })

  it('are found by the CPU as weaker evidence, as far back as it was recorded', async () => {
    world.cpu.set('m', (time) => (time > start - 100 * hour ? 2 : 80))
    await idle().check()
    const [one] = list()
    expect(one).toMatchObject({ use: 'cpu-idle', cost: expect.objectContaining({ currency: 'USD' }) })
    expect(start - (one?.since ?? 0)).toBeGreaterThan(99 * hour)
    expect(start - (one?.since ?? 0)).toBeLessThanOrEqual(100 * hour)
    expect(world.asked).toEqual(['m 2 h', 'm 24 h', 'm 168 h'])
    world.clock.set(world.clock.now() + 20 * 60)
    await idle().check()
    expect(list()[0]?.since).toBe(one?.since)
    // A known period is not read again.
    expect(world.asked.slice(3)).toEqual(['m 2 h'])
  })

  it('have their past read again after a failure', async () => {
    world.cpu.set('m', (time) => (time > start - 100 * hour ? 2 : 80))
    world.answered = 7_200
    await idle().check()
    expect(start - (list()[0]?.since ?? 0)).toBeLessThan(2 * hour)
    world.answered = Infinity
    world.clock.set(world.clock.now() + 20 * 60)
    await idle().check()
    expect(start - (list()[0]?.since ?? 0)).toBeGreaterThan(99 * hour)
  })

  it('are not idle if the GPUs work, whatever the CPU does', async () => {
    world.cpu.set('m', () => 1)
    read('m', 5, 97)
    await idle().check()
    expect(list()).toEqual([])
  })

  it('are not idle if their GPUs are unknown and the CPU works', async () => {
    world.cpu.set('m', () => 40)
    read('m', 70, 'not-available')
    await idle().check()
    expect(list()).toEqual([])
  })

  it('are found by the CPU if the GPUs have no value, as with instances (MIG) or errors', async () => {
    world.cpu.set('m', () => 1)
    read('m', 2, 'not-available')
    await idle().check()
    expect(world.asked[0]).toBe('m 2 h')
    expect(list()).toMatchObject([{ machine: 'm', use: 'cpu-idle' }])
    read('m', 20, 'not-available')
    await idle().check()
    expect(list()).toMatchObject([{ machine: 'm', use: 'cpu-idle' }])
  })

  it('are not idle by the CPU before their GPUs were out of work for as long', async () => {
    world.cpu.set('m', () => 1)
    read('m', 5, 97)
    const worked = world.clock.now()
    read('m', 30, 'error')
    await idle().check()
    expect(list()).toEqual([])
    read('m', 31, 'error')
    await idle().check()
    expect(list()).toMatchObject([{ use: 'cpu-idle', since: worked }])
  })

  it('are not idle if one GPU has no value and another works', async () => {
    world.cpu.set('m', () => 1)
    world.clock.set(world.clock.now() + 60)
    idle().addReading(account, 'm', [gpuAt('error'), gpuAt(97)], world.clock.now())
    await idle().check()
    expect(list()).toEqual([])
  })

  it('do not include a stopped machine', async () => {
    world.cpu.set('m', () => 1)
    world.machines = [machineNamed('m', 'stopped')]
    await idle().check()
    expect(list()).toEqual([])
    expect(world.asked).toEqual([])
  })

  it('keep their alert while their load is unknown, and lose it once they work', async () => {
    const cause: AlertCause = { kind: 'idle', machine: 'm', name: 'm', cost: null, use: 'cpu-idle' }
    world.standing = [cause]
    world.signedIn = false
    await idle().check()
    expect(world.found).toEqual([[{ cause }]])
    world.signedIn = true
    world.cpu.set('m', () => 90)
    await idle().check()
    expect(world.found.at(-1)).toEqual([])
  })

  it('keep their alert while the service does not answer, whatever its earlier answers', async () => {
    const cause: AlertCause = { kind: 'idle', machine: 'm', name: 'm', cost: null, use: 'cpu-idle' }
    world.standing = [cause]
    world.cpu.set('m', () => 1)
    await idle().check()
    expect(list()).toHaveLength(1)
    world.cpu.delete('m')
    world.clock.set(world.clock.now() + 2 * hour)
    await idle().check()
    expect(list()).toEqual([])
    expect(world.found.at(-1)).toEqual([{ cause }])

    world.cpu.set('m', () => 90)
    world.clock.set(world.clock.now() + hour)
    await idle().check()
    expect(world.found.at(-1)).toEqual([])
    world.cpu.delete('m')
    read('m', 62, 0)
    await idle().check()
    expect(list()).toHaveLength(1)
    // While the computer sleeps there are neither readings nor metrics.
    world.clock.set(world.clock.now() + 8 * hour)
    await idle().check()
    expect(world.found.at(-1)).toEqual([{ cause }])
  })

  it('are not checked before the fleet was read, even if bare metal was', async () => {
    world.machines = []
    await idle().check()
    expect(world.found).toEqual([])
    world.instances = [machineNamed('metal')]
    world.isMonitored = true
    await idle().check()
    expect(world.found).toEqual([])
  })

  it('have their CPU read for twenty machines at a time, each at most every 15 minutes', async () => {
    world.machines = Array.from({ length: 50 }, (_, at) => machineNamed(`m${String(at)}`))
    for (const { id } of world.machines) world.cpu.set(id, () => 50)
    for (let check = 0; check < 14; check += 1) {
      await idle().check()
      world.clock.set(world.clock.now() + 60)
    }
    expect(world.asked).toHaveLength(50)
    expect(new Set(world.asked).size).toBe(50)
  })

  it('follow the user’s settings', async () => {
    read('m', 40, 8)
    await idle().check()
    expect(list()).toEqual([])
    await idle().handlers['idle.configure']({ threshold: 10, minutes: 30 })
    read('m', 32, 8)
    await idle().check()
    expect(list()).toMatchObject([{ use: 'idle' }])
    expect(await idle().handlers['idle.settings']({})).toEqual({ threshold: 10, minutes: 30 })
  })

  it('are listed even if their price is unknown', async () => {
    world.machines = [machineNamed('free')]
    read('free', 62, 0)
    await idle().check()
    expect(list()).toMatchObject([{ cost: null, perHour: null }])
  })
})
