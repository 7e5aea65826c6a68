import type { Random } from '../random'
import { placeFor, sharedAddress } from './addresses'
import * as cast from './seed-data'
import * as catalog from './catalog'
import { defaultFirewallRules } from './firewall-rules'
import { ago, type Seed } from './seed-options'
import type { MachineRecord } from './records'
import { durations } from './transitions'

/** The virtual machines that a world begins with: a known team's first, and as many more as are asked for. */
export function seedMachines(seed: Seed, random: Random): MachineRecord[] {
  const taken = new Set<string>()
  return rolesFor(seed.machines, random).map((role) => {
    const machine = seedMachine(seed, random, role, taken)
    if (machine.address !== sharedAddress) taken.add(machine.address)
    return machine
  })
}

function rolesFor(count: number, random: Random): cast.Role[] {
  const known =
    count > 1
      ? [...cast.firstMachines.slice(0, count - 1), cast.newcomer]
      : cast.firstMachines.slice(0, count)
  const numbers = new Map<string, number>()
  const more = Array.from({ length: count - known.length }, (): cast.Role => {
    const purpose = random.pick(cast.purposes)
    const flavor = random.pick(catalog.flavors)
    const base = `${purpose.name}-${random.pick(purpose.name === 'notebook' ? cast.owners : cast.subjects)}`
    const number = (numbers.get(base) ?? 10) + 1
    numbers.set(base, number)
    return {
      name: `${base}-${number}`,
      gpu: flavor.name,
      count: flavor.gpuCount,
      region: flavor.region.id,
      workload: purpose.workload,
      team: random.pick(cast.teams),
      days: Math.min(110, -Math.log(1 - random.next()) * 12),
      stopped: random.chance(0.1),
    }
  })
  return [...known, ...more]
}

function seedMachine(seed: Seed, random: Random, role: cast.Role, taken: ReadonlySet<string>): MachineRecord {
  const id = random.id()
  const flavor = flavorOf(role)
  const image = random.pick(catalog.images.filter((one) => one.region === flavor.region))
  const creating = role === cast.newcomer
  const createdTime = seed.now - (creating ? 5 : ago(role.days, random))
  const booted = createdTime + durations.machineCreating
  const rebooted = role.stopped !== true && role.days > 3 && random.chance(0.5)
  const startedTime = rebooted ? seed.now - ago(role.days * random.next(), random) : booted
  const owner = cast.owners.find((one) => role.name.includes(one)) ?? random.pick(cast.owners)
  return {
    id,
    name: role.name,
    flavor: flavor.id,
    image: image.id,
    status: creating ? 'creating' : role.stopped === true ? 'stopped' : 'running',
    transition: creating ? { to: 'running', at: seed.now + durations.machineCreating / seed.speed } : null,
    createdTime,
    startedTime: creating ? null : Math.max(booted, startedTime),
    stoppedTime:
      role.stopped === true
        ? Math.max(booted, seed.now - ago(Math.min(1.5, role.days / 3) * random.next(), random))
        : null,
    loginId: random.id(),
    keyId: random.id(),
    keyName: 'sandbox-key',
    publicKey: null,
    ...placeFor('machine', id, image.username, taken, seed.ownAddresses),
    workload: role.workload,
    team: role.team,
    owner,
    firewallRules: defaultFirewallRules(() => random.id(), createdTime, role.workload === 'inference'),
  }
}

const flavorOf = (role: { gpu: string; count: number; region: string }): catalog.CatalogFlavor => {
  const found = catalog.flavors.find(
    (flavor) =>
      flavor.region.id === role.region && flavor.gpuCount === role.count && flavor.name.startsWith(role.gpu),
  )
  if (found === undefined)
    throw new Error(`the catalog offers no ${role.count} ${role.gpu} in ${role.region}`)
  return found
}
