import { describe, expect, it } from 'vitest'
import { hour, idleHarness, machineNamed, start } from '../../../../test/fixtures/idle-harness'

describe('idle machines', () => {
  const { world, idle, list } = idleHarness()

  it('are found in the background, their beginning once the window is open or gradually', async () => {
    world.machines = Array.from({ length: 10 }, (_, at) => machineNamed(`m${String(at)}`))
    for (const { id } of world.machines) world.cpu.set(id, () => 1)
    const days = (): number => world.asked.reduce((sum, one) => sum + Number(one.split(' ')[1]) / 24, 0)
    await idle().check()
    expect(list()).toHaveLength(10)
    // 90 days of the past, the rest of the reading that exceeded them, and two hours per machine.
    expect(days()).toBeLessThan(90 + 30 + 1)
    const monthsRead = () => world.asked.filter((one) => one.endsWith(' 720 h')).length
    const before = monthsRead()
    expect(before).toBeLessThan(10)
    world.clock.set(world.clock.now() + 30 * 60)
    await idle().check()
    expect(monthsRead() - before).toBeGreaterThan(0)
    idle().windowChanged(true)
    await expect.poll(monthsRead).toBe(10)
    expect(new Set(world.asked.filter((one) => one.endsWith(' 720 h'))).size).toBe(10)
  })

  const idleMachines = (count: number): void => {
    world.machines = Array.from({ length: count }, (_, at) => machineNamed(`m${String(at)}`))
    for (const { id } of world.machines) world.cpu.set(id, () => 1)
  }
  /** Checks every minute, as in the background. */
  const checkFor = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      world.clock.set(world.clock.now() + 60)
      await idle().check()
    }
  }

  it.each([24, 7 * 24])('are found in the background with a limit of %i hours', async (hours) => {
    world.machines = []
    await idle().handlers['idle.configure']({ threshold: 5, minutes: hours * 60 })
    idleMachines(20)
    await idle().check()
    expect(list()).toHaveLength(20)
    const readTwice = () => world.asked.filter((one) => one.endsWith(' 24 h')).length - 20
    await checkFor(60)
    expect(list()).toHaveLength(20)
    // A period that is known to be idle is not read again.
    expect(readTwice()).toBe(0)
  })

  it('get their beginning in the background one by one, however many there are', async () => {
    idleMachines(300)
    const beginnings = () => list().filter(({ since }) => since < start - 29 * 24 * hour).length
    await checkFor(20)
    expect(list()).toHaveLength(300)
    let known = beginnings()
    expect(known).toBeLessThan(10)
    for (let passed = 0; passed < 4; passed += 1) {
      await checkFor(60)
      // Two days of metrics per minute are three machines per hour.
      expect(beginnings()).toBeGreaterThanOrEqual(known + 3)
      known = beginnings()
    }
    expect(known).toBeLessThan(30)
  })
})
