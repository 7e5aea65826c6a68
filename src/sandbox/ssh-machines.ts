import type { AddressToListenOn, SshMachine } from './ssh/server'
import type { Secrets } from './secrets'
import { sharedAddress } from './cloud/addresses'
import { bareMetalFlavorById, flavorById, mustFind, type CatalogFlavor } from './cloud/catalog'
import { gpuProfileOf } from './cloud/gpu-profile'
import type { BareMetalRecord, MachineRecord } from './cloud/records'
import type { World } from './cloud/cloud'

/** The machines of a world as the SSH server asks for them. */
export interface MachineAccess {
  find(address: string, username: string): SshMachine | undefined
  addresses(): readonly AddressToListenOn[]
  /** To be called after machines came or went. */
  changed(): void
}

type Record = MachineRecord | BareMetalRecord

const placeKey = (address: string, username: string): string => `${address} ${username}`

export function createMachineAccess(world: World, secrets: Secrets): MachineAccess {
  let places: ReadonlyMap<string, Record> | undefined
  const records = (): readonly Record[] => [...world.machines.values(), ...world.bareMetal.values()]
  const byPlace = (): ReadonlyMap<string, Record> =>
    (places ??= new Map(records().map((record) => [placeKey(record.address, record.username), record])))
  const flavorOf = (record: Record): CatalogFlavor =>
    flavorById.get(record.flavor) ?? mustFind(bareMetalFlavorById, record.flavor)
  /** Machines at the shared address share its host key too. */
  const hostKey = (record: Pick<Record, 'address' | 'id'>): string =>
    secrets.hostKey(record.address === sharedAddress ? sharedAddress : record.id)

  return {
    find: (address, username) => {
      world.settle()
      const record = byPlace().get(placeKey(address, username))
      if (record === undefined) return undefined
      const flavor = flavorOf(record)
      return {
        id: record.id,
        name: record.name,
        address,
        username,
        publicKey: record.publicKey ?? secrets.identity.publicKey,
        running: record.status === 'running',
        gpu: flavor.gpu,
        gpuCount: flavor.gpuCount,
        gpuProfile: () => gpuProfileOf(record),
        cpu: flavor.cpu,
        ram: flavor.ram,
        hostKey: hostKey(record),
        startedAt: record.startedTime ?? undefined,
      }
    },
    addresses: () => [
      { address: sharedAddress, hostKey: secrets.hostKey(sharedAddress) },
      ...records()
        .filter((record) => record.address !== sharedAddress)
        .map((record) => ({ address: record.address, hostKey: hostKey(record) })),
    ],
    changed: () => {
      places = undefined
    },
  }
}
