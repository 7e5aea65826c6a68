import { describe, expect, it } from 'vitest'
import { statementsOf } from '../billing/statements'
import { ownAddresses, sharedAddress } from './addresses'
import { flavorById, imageById, mustFind } from './catalog'
import { seedWorld } from './seed'
import { WorldState } from './records'

const now = 1_795_269_600
const day = 86_400
const grow = (change: Partial<Parameters<typeof seedWorld>[0]> = {}) =>
  seedWorld({ seed: 7, machines: 12, now, speed: 1, ownAddresses: true, ...change })

describe('the seeded world', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(grow()).toEqual(grow())
    expect(grow({ seed: 8 })).not.toEqual(grow())
  })

  it('is the same at another time, but for the times', () => {
    const names = (world: WorldState) =>
      world.machines.map(({ id, name, createdTime }) => [id, name, createdTime - world.startTime])
    expect(names(grow({ now: now + 12_345 }))).toEqual(names(grow()))
  })

  it('has as many machines as asked for, mostly running, one being created', () => {
    for (const machines of [0, 1, 2, 12, 300]) expect(grow({ machines }).machines).toHaveLength(machines)
    const statuses = grow({ machines: 300 }).machines.map((machine) => machine.status)
    const count = (status: string) => statuses.filter((one) => one === status).length
    expect(count('creating')).toBe(1)
    expect(count('stopped')).toBeGreaterThan(5)
    expect(count('running')).toBeGreaterThan(240)
    expect(count('running') + count('stopped') + 1).toBe(300)
  })

  it('gives every machine a name, an image of its region and a plausible life', () => {
    const { machines } = grow({ machines: 300 })
    expect(new Set(machines.map((machine) => machine.name)).size).toBe(300)
    for (const machine of machines) {
      expect(mustFind(imageById, machine.image).region).toBe(mustFind(flavorById, machine.flavor).region)
      if (machine.startedTime === null) continue
      expect(machine.startedTime).toBeGreaterThan(machine.createdTime)
      expect(machine.stoppedTime ?? machine.startedTime).toBeGreaterThanOrEqual(machine.startedTime)
      expect(machine.startedTime).toBeLessThanOrEqual(now)
    }
    expect(
      new Set(machines.map((machine) => mustFind(flavorById, machine.flavor).region.id)).size,
    ).toBeGreaterThanOrEqual(3)
  })

  it('gives the first 100 machines addresses of their own, and the others user names of their own', () => {
    const { machines } = grow({ machines: 150 })
    const own = machines.filter((machine) => machine.address !== sharedAddress)
    expect(own).toEqual(machines.slice(0, ownAddresses))
    expect(new Set(own.map((machine) => machine.address)).size).toBe(ownAddresses)
    const shared = machines.slice(ownAddresses).map((machine) => machine.username)
    expect(new Set(shared).size).toBe(50)
    const onMac = grow({ machines: 20, ownAddresses: false }).machines
    expect(new Set(onMac.map((machine) => machine.address))).toEqual(new Set([sharedAddress]))
    expect(new Set(onMac.map((machine) => machine.username)).size).toBe(20)
  })

  it('looks back on more than 90 days, with hundreds of statements and resources that are gone', () => {
    const { usage } = grow()
    const kinds = new Set(
      usage.map(({ resource, terminatedTime }) => `${resource.type} ${terminatedTime === null}`),
    )
    expect(kinds).toEqual(new Set(['vm true', 'vm false', 'volume true', 'volume false']))
    const statements = usage.flatMap((entry) => statementsOf(entry, now))
    expect(statements.length).toBeGreaterThan(300)
    expect(Math.min(...statements.map((statement) => statement.from))).toBeLessThanOrEqual(now - 90 * day)
  })

  it('is a state that a data file can hold', () => {
    const world = grow()
    expect(WorldState.parse(JSON.parse(JSON.stringify(world)))).toEqual(world)
  })
})
