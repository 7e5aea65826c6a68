import { createRandom, type Random } from '../random'
import { allocateSshEndpoint, sharedAddress } from './addresses'
import * as seedData from './seed-data'
import * as catalog from './catalog'
import { seedMachines } from './seed-machines'
import { ageSeconds, type SeedOptions } from './seed-options'
import { seedTerminated } from './seed-history'
import {
  transitionSeconds,
  type ApiTokenRecord,
  type BareMetalRecord,
  type MachineRecord,
  type VolumeRecord,
  type CloudState,
} from './records'
import { machineUsage, volumeUsage } from './usage'
import { volumeName } from './volumes'

const seedApiTokens = (seed: SeedOptions, random: Random): ApiTokenRecord[] =>
  seedData.apiTokens.map((template) => ({
    id: random.id(),
    name: template.name,
    description: template.description,
    createdTime: seed.now - ageSeconds(template.days, random),
    lastUsed: template.lastUsedAge === null ? 0 : seed.now - template.lastUsedAge,
    revoked: false,
  }))

/** Creates the initial cloud. The same seed gives the same cloud, relative to `now`. */
export function seedCloud(seed: SeedOptions): CloudState {
  const random = createRandom(`wheelhouse/${seed.seed}`)
  const machines = seedMachines(seed, random)
  const bareMetal = seedBareMetal(seed, random)
  const volumes = seedVolumes(seed, random, machines)
  return {
    version: 1,
    seed: seed.seed,
    startTime: seed.now,
    clockOffset: 0,
    paid: 0,
    issued: 0,
    sessionGeneration: 0,
    machines,
    bareMetal,
    volumes,
    usage: [
      ...machines.map((machine) =>
        machineUsage(random.id(), machine, catalog.requireById(catalog.flavorById, machine.flavor)),
      ),
      ...bareMetal.map((instance) =>
        machineUsage(
          random.id(),
          instance,
          catalog.requireById(catalog.bareMetalFlavorById, instance.flavor),
        ),
      ),
      ...volumes.map((volume) => volumeUsage(random.id(), volume)),
      ...seedTerminated(seed, random),
    ],
    apiTokens: seedApiTokens(seed, random),
  }
}

function seedBareMetal(seed: SeedOptions, random: Random): BareMetalRecord[] {
  const usedAddresses = new Set<string>()
  return seedData.bareMetal.map((template) => {
    const id = random.id()
    const flavor = catalog.bareMetalFlavors.find(
      (candidate) => candidate.region.id === template.region && candidate.name.startsWith(template.gpu),
    )
    const image = catalog.bareMetalImages.find((candidate) => candidate.region.id === template.region)
    if (flavor === undefined || image === undefined) throw new Error(`the catalog offers no ${template.gpu}`)
    const createdTime = seed.now - ageSeconds(template.days, random)
    const endpoint = allocateSshEndpoint(
      'bareMetal',
      id,
      image.username,
      usedAddresses,
      seed.dedicatedAddresses,
    )
    if (endpoint.address !== sharedAddress) usedAddresses.add(endpoint.address)
    return {
      id,
      name: template.name,
      flavor: flavor.id,
      image: image.id,
      status: 'running',
      transition: null,
      createdTime,
      startedTime: createdTime + transitionSeconds.bareMetalCreating,
      loginId: random.id(),
      keyId: random.id(),
      keyName: 'sandbox-key',
      publicKey: null,
      ...endpoint,
    }
  })
}

function seedVolumes(seed: SeedOptions, random: Random, machines: readonly MachineRecord[]): VolumeRecord[] {
  return seedData.volumes.map((template) => {
    const id = random.id()
    const region = catalog.requireById(catalog.regionById, template.region)
    const image = catalog.images.find((candidate) => candidate.region === region)
    const type = catalog.volumeTypes.find((candidate) => candidate.region === region)
    if (image === undefined || type === undefined)
      throw new Error(`the catalog has no volumes in ${region.id}`)
    const attachedTo = machines.find((machine) => machine.name === template.attachedTo)?.id ?? null
    return {
      id,
      name: volumeName(id),
      displayName: template.displayName,
      region: region.id,
      type: type.id,
      size: template.size,
      image: template.bootable === true ? image.id : null,
      status: attachedTo === null ? 'available' : 'in-use',
      transition: null,
      description: '',
      currency: 'USD',
      createdTime: seed.now - ageSeconds(template.days, random),
      attachedTo,
    }
  })
}
