import { createRandom, type Random } from '../random'
import { placeFor, sharedAddress } from './addresses'
import * as cast from './cast'
import * as catalog from './catalog'
import { defaultFirewallRules } from './firewall-rules'
import { machineUsage, volumeUsage } from './usage'
import { volumeName } from './volume-name'
import type {
  ApiTokenRecord,
  BareMetalRecord,
  MachineRecord,
  UsageRecord,
  VolumeRecord,
  WorldState,
} from './state'
import { durations } from './transitions'

/** What a world is grown from. `now` is epoch seconds; `ownAddresses` as in addresses.ts. */
export interface Seed {
  readonly seed: number
  readonly machines: number
  readonly now: number
  readonly speed: number
  readonly ownAddresses: boolean
}

const day = 86_400

/** Days of history: the oldest terminated resources reach this far back. */
const historyDays = 120

/** The world at its start: the same seed gives the same world, relative to `now`. */
export function seedWorld(seed: Seed): WorldState {
  const random = createRandom(`wheelhouse/${seed.seed}`)
  const machines = seedMachines(seed, random)
  const bareMetal = seedBareMetal(seed, random)
  const volumes = seedVolumes(seed, random, machines)
  return {
    version: 1,
    seed: seed.seed,
    startTime: seed.now,
    clockOffset: 0,
    issued: 0,
    sessionGeneration: 0,
    machines,
    bareMetal,
    volumes,
    usage: [
      ...machines.map((machine) =>
        machineUsage(random.id(), machine, catalog.mustFind(catalog.flavorById, machine.flavor)),
      ),
      ...bareMetal.map((instance) =>
        machineUsage(random.id(), instance, catalog.mustFind(catalog.bareMetalFlavorById, instance.flavor)),
      ),
      ...volumes.map((volume) => volumeUsage(random.id(), volume)),
      ...seedTerminated(seed, random),
    ],
    apiTokens: seedApiTokens(seed, random),
  }
}

function seedMachines(seed: Seed, random: Random): MachineRecord[] {
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

const ago = (days: number, random: Random): number => Math.floor(days * day) + random.integer(600, 3_600)

const flavorOf = (role: { gpu: string; count: number; region: string }): catalog.CatalogFlavor => {
  const found = catalog.flavors.find(
    (flavor) =>
      flavor.region.id === role.region && flavor.gpuCount === role.count && flavor.name.startsWith(role.gpu),
  )
  if (found === undefined)
    throw new Error(`the catalog offers no ${role.count} ${role.gpu} in ${role.region}`)
  return found
}

function seedBareMetal(seed: Seed, random: Random): BareMetalRecord[] {
  const taken = new Set<string>()
  return cast.firstBareMetal.map((role) => {
    const id = random.id()
    const flavor = catalog.bareMetalFlavors.find(
      (one) => one.region.id === role.region && one.name.startsWith(role.gpu),
    )
    const image = catalog.bareMetalImages.find((one) => one.region.id === role.region)
    if (flavor === undefined || image === undefined) throw new Error(`the catalog offers no ${role.gpu}`)
    const createdTime = seed.now - ago(role.days, random)
    const place = placeFor('bareMetal', id, image.username, taken, seed.ownAddresses)
    if (place.address !== sharedAddress) taken.add(place.address)
    return {
      id,
      name: role.name,
      flavor: flavor.id,
      image: image.id,
      status: 'running',
      transition: null,
      createdTime,
      startedTime: createdTime + durations.bareMetalCreating,
      loginId: random.id(),
      keyId: random.id(),
      keyName: 'sandbox-key',
      publicKey: null,
      ...place,
    }
  })
}

function seedVolumes(seed: Seed, random: Random, machines: readonly MachineRecord[]): VolumeRecord[] {
  return cast.firstVolumes.map((role) => {
    const id = random.id()
    const region = catalog.mustFind(catalog.regionById, role.region)
    const image = catalog.images.find((one) => one.region === region)
    const type = catalog.volumeTypes.find((one) => one.region === region)
    if (image === undefined || type === undefined)
      throw new Error(`the catalog has no volumes in ${region.id}`)
    const attachedTo = machines.find((machine) => machine.name === role.on)?.id ?? null
    return {
      id,
      name: volumeName(id),
      displayName: role.displayName,
      region: region.id,
      type: type.id,
      size: role.size,
      image: role.bootable === true ? image.id : null,
      status: attachedTo === null ? 'available' : 'in-use',
      transition: null,
      description: '',
      currency: 'USD',
      createdTime: seed.now - ago(role.days, random),
      attachedTo,
    }
  })
}

/** Resources that lived once and are billed no more. */
function seedTerminated(seed: Seed, random: Random): UsageRecord[] {
  const machines = Array.from({ length: 18 }, (): UsageRecord => {
    const flavor = random.pick(catalog.flavors)
    const base = `${random.pick(cast.purposes).name}-${random.pick(cast.subjects)}`
    const [createdTime, terminatedTime] = pastLife(seed, random)
    const id = random.id()
    return {
      id: random.id(),
      resource: { id, name: base, displayName: base, type: 'vm' },
      perMinute: flavor.perMinute,
      createdTime,
      terminatedTime,
    }
  })
  const volumes = Array.from({ length: 7 }, (): UsageRecord => {
    const size = random.integer(1, 40) * 50
    const [createdTime, terminatedTime] = pastLife(seed, random)
    const id = random.id()
    const displayName = `${random.pick(cast.subjects)}-data`
    return {
      id: random.id(),
      resource: { id, name: volumeName(id), displayName, type: 'volume' },
      perMinute: size * catalog.volumeFeePerGb,
      createdTime,
      terminatedTime,
    }
  })
  const oldest = machines[0]
  // One resource reaches back to the beginning, so that every world has the whole history.
  if (oldest !== undefined) {
    oldest.createdTime = seed.now - historyDays * day
    oldest.terminatedTime = seed.now - 80 * day
  }
  return [...machines, ...volumes]
}

const pastLife = (seed: Seed, random: Random): [created: number, terminated: number] => {
  const end = seed.now - random.integer(1 * day, 100 * day)
  const start = Math.max(seed.now - historyDays * day, end - random.integer(1_800, 14 * day))
  return [start, end]
}

const seedApiTokens = (seed: Seed, random: Random): ApiTokenRecord[] =>
  cast.firstApiTokens.map((role) => ({
    id: random.id(),
    name: role.name,
    description: role.description,
    createdTime: seed.now - ago(role.days, random),
    lastUsed: role.usedAgo === null ? 0 : seed.now - role.usedAgo,
    revoked: false,
  }))
