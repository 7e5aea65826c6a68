import type { Secrets } from '../secrets'
import { bareMetalFlavorById, bareMetalImageById, flavorById, imageById, requireById } from '../cloud/catalog'
import type { CatalogFlavor } from '../cloud/catalog'
import type { BareMetalRecord, MachineRecord } from '../cloud/records'
import type { ListFields } from './select-page'

const flavorView = (flavor: CatalogFlavor) => ({
  name: flavor.name,
  cpu: flavor.cpu,
  ram: flavor.ram,
  disk: flavor.disk,
  gpu: flavor.gpu,
  gpu_count: flavor.gpuCount,
})

const keyView = (machine: { readonly keyId: string; readonly keyName: string }) => ({
  id: machine.keyId,
  name: machine.keyName,
})

/** Returns address and boot time once the machine has booted. */
const bootView = (machine: { readonly address: string; readonly startedTime: number | null }) =>
  machine.startedTime === null ? {} : { fixed_ip: machine.address, started_time: machine.startedTime }

/**
 * Returns a machine as in api-spec.md §2, without its secrets. `created_time`, `labels` and `console` are beyond the
 * specification, which allows further fields.
 */
export const machineView = (machine: MachineRecord) => {
  const flavor = requireById(flavorById, machine.flavor)
  return {
    id: machine.id,
    name: machine.name,
    status: machine.status,
    login: { _id: machine.loginId, ssh_key: keyView(machine), username: machine.username },
    ...bootView(machine),
    flavor: flavorView(flavor),
    image: { name: requireById(imageById, machine.image).name },
    region: { name: flavor.region.name },
    created_time: machine.createdTime,
    labels: { team: machine.team, owner: machine.owner },
  }
}
export type MachineView = ReturnType<typeof machineView>

export const withSecrets = (machine: MachineView, secrets: Secrets) => ({
  ...machine,
  login: { ...machine.login, password: secrets.machinePassword(machine.id) },
  console: { protocol: 'vnc' as const, password: secrets.consolePassword(machine.id) },
})

export const machineFields: ListFields = {
  id: 'string',
  name: 'string',
  status: 'string',
  'login.username': 'string',
  'login.ssh_key.name': 'string',
  fixed_ip: 'string',
  started_time: 'number',
  'flavor.name': 'string',
  'flavor.cpu': 'number',
  'flavor.ram': 'number',
  'flavor.disk': 'number',
  'flavor.gpu': 'string',
  'flavor.gpu_count': 'number',
  'image.name': 'string',
  'region.name': 'string',
  created_time: 'number',
  'labels.team': 'string',
  'labels.owner': 'string',
}

/** Returns a bare metal instance as in api-spec.md §2, without user name, password and status. */
export const bareMetalView = (instance: BareMetalRecord) => {
  const flavor = requireById(bareMetalFlavorById, instance.flavor)
  return {
    id: instance.id,
    name: instance.name,
    login: { _id: instance.loginId, ssh_key: keyView(instance) },
    ...bootView(instance),
    flavor: flavorView(flavor),
    image: { name: requireById(bareMetalImageById, instance.image).name },
    region: { name: flavor.region.name },
  }
}
