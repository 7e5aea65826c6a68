import type { Random } from '../random'
import { allocateSshEndpoint, sharedAddress } from './addresses'
import * as seedData from './seed-data'
import * as catalog from './catalog'
import { defaultFirewallRules } from './firewall-rules'
import { ageSeconds, type SeedOptions } from './seed-options'
import { transitionSeconds, type MachineRecord } from './records'

/** Creates the initial virtual machines: first from the seed data, then generated. */
export function seedMachines(seed: SeedOptions, random: Random): MachineRecord[] {
  const usedAddresses = new Set<string>()
  return templatesFor(seed.machines, random).map((template) => {
    const machine = seedMachine(seed, random, template, usedAddresses)
    if (machine.address !== sharedAddress) usedAddresses.add(machine.address)
    return machine
  })
}

function templatesFor(count: number, random: Random): seedData.SeedMachine[] {
  const known =
    count > 1
      ? [...seedData.machines.slice(0, count - 1), seedData.creatingMachine]
      : seedData.machines.slice(0, count)
  const numbers = new Map<string, number>()
  const more = Array.from({ length: count - known.length }, (): seedData.SeedMachine => {
    const purpose = random.pick(seedData.purposes)
    const flavor = random.pick(catalog.flavors)
    const base = `${purpose.name}-${random.pick(purpose.name === 'notebook' ? seedData.owners : seedData.subjects)}`
    const number = (numbers.get(base) ?? 10) + 1
    numbers.set(base, number)
    return {
      name: `${base}-${number}`,
      gpu: flavor.name,
      count: flavor.gpuCount,
      region: flavor.region.id,
      workload: purpose.workload,
      team: random.pick(seedData.teams),
      days: Math.min(110, -Math.log(1 - random.next()) * 12),
      stopped: random.chance(0.1),
    }
  })
  return [...known, ...more]
}

const flavorOf = (template: { gpu: string; count: number; region: string }): catalog.CatalogFlavor => {
  const flavor = catalog.flavors.find(
    (candidate) =>
      candidate.region.id === template.region &&
      candidate.gpuCount === template.count &&
      candidate.name.startsWith(template.gpu),
  )
  if (flavor === undefined)
    throw new Error(`the catalog offers no ${template.count} ${template.gpu} in ${template.region}`)
  return flavor
}

function seedMachine(
  seed: SeedOptions,
  random: Random,
  template: seedData.SeedMachine,
  usedAddresses: ReadonlySet<string>,
): MachineRecord {
  const id = random.id()
  const flavor = flavorOf(template)
  const image = random.pick(catalog.images.filter((candidate) => candidate.region === flavor.region))
  const creating = template === seedData.creatingMachine
  const createdTime = seed.now - (creating ? 5 : ageSeconds(template.days, random))
  const booted = createdTime + transitionSeconds.machineCreating
  const rebooted = template.stopped !== true && template.days > 3 && random.chance(0.5)
  const startedTime = rebooted ? seed.now - ageSeconds(template.days * random.next(), random) : booted
  const owner =
    seedData.owners.find((candidate) => template.name.includes(candidate)) ?? random.pick(seedData.owners)
  return {
    id,
    name: template.name,
    flavor: flavor.id,
    image: image.id,
    status: creating ? 'creating' : template.stopped === true ? 'stopped' : 'running',
    transition: creating
      ? { to: 'running', at: seed.now + transitionSeconds.machineCreating / seed.speed }
      : null,
    createdTime,
    startedTime: creating ? null : Math.max(booted, startedTime),
    stoppedTime:
      template.stopped === true
        ? Math.max(booted, seed.now - ageSeconds(Math.min(1.5, template.days / 3) * random.next(), random))
        : null,
    loginId: random.id(),
    keyId: random.id(),
    keyName: 'sandbox-key',
    publicKey: null,
    ...allocateSshEndpoint('machine', id, image.username, usedAddresses, seed.dedicatedAddresses),
    workload: template.workload,
    team: template.team,
    owner,
    firewallRules: defaultFirewallRules(() => random.id(), createdTime, template.workload === 'inference'),
  }
}
