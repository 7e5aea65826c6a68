import { describe, expect, it } from 'vitest'
import { statementsOf } from '../billing/statements'
import { maxDedicatedAddresses, sharedAddress } from './addresses'
import { flavorById, imageById, requireById } from './catalog'
import { seedCloud } from './seed'
import { CloudState } from './records'

const now = 1_795_269_600
const day = 86_400
const grow = (change: Partial<Parameters<typeof seedCloud>[0]> = {}) =>
  seedCloud({ seed: 7, machines: 12, now, speed: 1, dedicatedAddresses: true, ...change })

describe('the seeded cloud', () => {
  it('is the same for the same seed, and different for another', () => {
    expect(grow()).toEqual(grow())
    expect(grow({ seed: 8 })).not.toEqual(grow())
  })

  it('is the same at another time, except for the times', () => {
    const names = (cloud: CloudState) =>
      cloud.machines.map(({ id, name, createdTime }) => [id, name, createdTime - cloud.startTime])
    expect(names(grow({ now: now + 12_345 }))).toEqual(names(grow()))
  })

  it('has the requested number of machines, mostly running, one being created', () => {
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
      expect(requireById(imageById, machine.image).region).toBe(
        requireById(flavorById, machine.flavor).region,
      )
      if (machine.startedTime === null) continue
      expect(machine.startedTime).toBeGreaterThan(machine.createdTime)
      expect(machine.stoppedTime ?? machine.startedTime).toBeGreaterThanOrEqual(machine.startedTime)
      expect(machine.startedTime).toBeLessThanOrEqual(now)
    }
    expect(
      new Set(machines.map((machine) => requireById(flavorById, machine.flavor).region.id)).size,
    ).toBeGreaterThanOrEqual(3)
  })

  it('gives the first 100 machines their own addresses, and the rest their own user names', () => {
    const { machines } = grow({ machines: 150 })
    const own = machines.filter((machine) => machine.address !== sharedAddress)
    expect(own).toEqual(machines.slice(0, maxDedicatedAddresses))
    expect(new Set(own.map((machine) => machine.address)).size).toBe(maxDedicatedAddresses)
    const shared = machines.slice(maxDedicatedAddresses).map((machine) => machine.username)
    expect(new Set(shared).size).toBe(50)
    const onMac = grow({ machines: 20, dedicatedAddresses: false }).machines
    expect(new Set(onMac.map((machine) => machine.address))).toEqual(new Set([sharedAddress]))
    expect(new Set(onMac.map((machine) => machine.username)).size).toBe(20)
  })

  it('has a history of more than 90 days, with hundreds of statements and terminated resources', () => {
    const { usage } = grow()
    const kinds = new Set(
      usage.map(({ resource, terminatedTime }) => `${resource.type} ${terminatedTime === null}`),
    )
    expect(kinds).toEqual(new Set(['vm true', 'vm false', 'volume true', 'volume false']))
    const statements = usage.flatMap((entry) => statementsOf(entry, now))
    expect(statements.length).toBeGreaterThan(300)
    expect(Math.min(...statements.map((statement) => statement.from))).toBeLessThanOrEqual(now - 90 * day)
  })

  it('fits the schema of the data file', () => {
    const cloud = grow()
    expect(CloudState.parse(JSON.parse(JSON.stringify(cloud)))).toEqual(cloud)
  })
})
