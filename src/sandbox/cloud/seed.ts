import { createRandom, type Random } from '../random'
import { placeFor, sharedAddress } from './addresses'
import * as cast from './seed-data'
import * as catalog from './catalog'
import { seedMachines } from './seed-machines'
import { ago, type Seed } from './seed-options'
import { seedTerminated } from './seed-history'
import type { ApiTokenRecord, BareMetalRecord, MachineRecord, VolumeRecord, WorldState } from './records'
import { durations } from './transitions'
import { machineUsage, volumeUsage } from './usage'
import { volumeName } from './volume-name'

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

const seedApiTokens = (seed: Seed, random: Random): ApiTokenRecord[] =>
  cast.firstApiTokens.map((role) => ({
    id: random.id(),
    name: role.name,
    description: role.description,
    createdTime: seed.now - ago(role.days, random),
    lastUsed: role.usedAgo === null ? 0 : seed.now - role.usedAgo,
    revoked: false,
  }))
