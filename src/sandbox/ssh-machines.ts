import type { AddressToListenOn, SshMachine } from './ssh/server'
import type { Secrets } from './secrets'
import { sharedAddress } from './cloud/addresses'
import { bareMetalFlavorById, flavorById, requireById, type CatalogFlavor } from './cloud/catalog'
import { gpuProfileOf, workloadOf } from './cloud/gpu-profile'
import { type BareMetalRecord, type MachineRecord, transitionSeconds } from './cloud/records'
import { usualSetUp } from './cloud/set-up'
import type { Cloud } from './cloud/cloud'

export interface SshMachines {
  find(address: string, username: string): SshMachine | undefined
  addresses(): readonly AddressToListenOn[]
  /** Call after machines were added or removed. */
  invalidate(): void
}

type Record = MachineRecord | BareMetalRecord

const endpointKey = (address: string, username: string): string => `${address} ${username}`

export function createSshMachines(cloud: Cloud, secrets: Secrets): SshMachines {
  let index: ReadonlyMap<string, Record> | undefined
  const records = (): readonly Record[] => [...cloud.machines.values(), ...cloud.bareMetal.values()]
  const byEndpoint = (): ReadonlyMap<string, Record> =>
    (index ??= new Map(records().map((record) => [endpointKey(record.address, record.username), record])))
  const flavorOf = (record: Record): CatalogFlavor =>
    flavorById.get(record.flavor) ?? requireById(bareMetalFlavorById, record.flavor)
  /** Machines at the shared address share its host key. */
  const hostKey = (record: Pick<Record, 'address' | 'id'>): string =>
    secrets.hostKey(record.address === sharedAddress ? sharedAddress : record.id)

  /** Whether SSH does not answer yet on a machine that was created. */
  const isBooting = ({ status, answersFrom = 0 }: Record): boolean =>
    status === 'creating' || (status === 'running' && answersFrom > cloud.now())

  /** GPU processes that were ended since the last boot. */
  const endedIn = ({ ended, startedTime }: Record): readonly number[] =>
    ended?.boot === startedTime ? ended.pids : []

  return {
    find: (address, username) => {
      cloud.completeTransitions()
      const record = byEndpoint().get(endpointKey(address, username))
      if (record === undefined) return undefined
      const flavor = flavorOf(record)
      return {
        id: record.id,
        name: record.name,
        address,
        username,
        publicKey: record.publicKey ?? secrets.identity.publicKey,
        running: record.status === 'running' && !isBooting(record),
        setUp: () =>
          record.setUp ??
          usualSetUp(cloud.now() >= (record.answersFrom ?? 0) + transitionSeconds.settingUp / cloud.speed),
        gpu: flavor.gpu,
        gpuCount: flavor.gpuCount,
        gpuProfile: () => gpuProfileOf(record),
        workload: () => workloadOf(record),
        faults: () => record.faults ?? [],
        ended: () => endedIn(record),
        endProcess(pid) {
          record.ended = { boot: record.startedTime, pids: [...endedIn(record), pid] }
          cloud.changed()
        },
        disk: flavor.disk,
        cpu: flavor.cpu,
        ram: flavor.ram,
        hostKey: hostKey(record),
        startedAt: record.startedTime ?? undefined,
      }
    },
    addresses: () => [
      { address: sharedAddress, hostKey: secrets.hostKey(sharedAddress) },
      ...records()
        .filter((record) => record.address !== sharedAddress && !isBooting(record))
        .map((record) => ({ address: record.address, hostKey: hostKey(record) })),
    ],
    invalidate: () => {
      index = undefined
    },
  }
}
