import type { MachineView } from '#shared/bridge/fleet'
import { gpuName } from '#shared/service/flavor'
import type { Machine } from '#shared/service/machine'
import { undescribedFields, fieldText, shownFields } from '../core/extra-fields'

const described = {
  machine: ['id', 'name', 'status', 'login', 'fixed_ip', 'started_time', 'flavor', 'image', 'region'],
  login: ['_id', 'ssh_key', 'username', 'password'],
  flavor: ['name', 'cpu', 'ram', 'disk', 'gpu', 'gpu_count'],
  image: ['name'],
  region: ['name'],
} as const

/** Returns the fields outside the specification with their plain values, by dotted path. */
function extraFields(machine: Machine): ReadonlyMap<string, unknown> {
  return new Map([
    ...undescribedFields(machine, described.machine),
    ...undescribedFields(machine.login, described.login, 'login.'),
    ...undescribedFields(machine.flavor, described.flavor, 'flavor.'),
    ...undescribedFields(machine.image, described.image, 'image.'),
    ...undescribedFields(machine.region, described.region, 'region.'),
  ])
}

/** Returns the plain text of an undescribed field; undefined if there is none. */
export function extraFieldText(machine: Machine, path: string): string | undefined {
  const value = extraFields(machine).get(path)
  return value === undefined ? undefined : fieldText(value)
}

/** Converts a machine for the window, without its password and possible secrets. */
export function machineView(machine: Machine): MachineView {
  const flavor = machine.flavor
  return {
    id: machine.id,
    name: machine.name,
    status: machine.status || null,
    address: machine.fixed_ip || null,
    username: machine.login?.username || null,
    hasPassword: Boolean(machine.login?.password),
    keyName: machine.login?.ssh_key?.name || null,
    startedAt: machine.started_time || null,
    flavor: {
      name: flavor?.name || null,
      cpu: flavor?.cpu ?? null,
      ram: flavor?.ram ?? null,
      disk: flavor?.disk ?? null,
      gpu: gpuName(flavor?.gpu),
      gpuCount: flavor?.gpu_count ?? null,
    },
    image: machine.image?.name || null,
    region: machine.region?.name || null,
    more: shownFields(extraFields(machine)),
  }
}
