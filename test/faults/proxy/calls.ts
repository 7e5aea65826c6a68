import type { Service } from '../../../src/main/service/index'
import { type offers, sshKey } from '../../fixtures/service-client'

/** Resources that the calls use. */
export interface Subjects {
  readonly here: Awaited<ReturnType<typeof offers>>['here']
  readonly metal: { readonly flavor: string; readonly image: string }
  readonly machine: string
  readonly instance: string
  readonly volume: string
  readonly token: string
  /** Resources to delete: other calls read theirs later. */
  readonly spare: { readonly machine: string; readonly volume: string; readonly token: string }
}

type Call = (service: Service, subjects: Subjects) => Promise<unknown>

/** A row for each method of the client: a missing row does not compile. */
type Calls = { readonly [Resource in keyof Service]: { readonly [Name in keyof Service[Resource]]: Call } }

/** A page as requested by the pollers. */
const page = { limit: 100, offset: 0 }

const rule = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '0.0.0.0/0',
  port_range_min: 443,
  port_range_max: 443,
} as const

/**
 * Each method of the client with arguments that the sandbox accepts, in an order in which each can succeed: creations
 * come before deletions.
 */
export const calls: Calls = {
  regions: { list: (service) => service.regions.list() },
  volumeTypes: { list: (service) => service.volumeTypes.list() },
  images: { list: (service) => service.images.list() },
  flavors: { list: (service) => service.flavors.list() },
  billing: {
    statements: (service) => service.billing.statements(page),
    usage: (service) => service.billing.usage(page),
    balance: (service) => service.billing.balance(),
  },
  bareMetal: {
    get: (service, { instance }) => service.bareMetal.get(instance),
    create: (service, { metal }) =>
      service.bareMetal.create({
        name: 'metal',
        flavor_id: metal.flavor,
        image_id: metal.image,
        ssh_key: sshKey,
      }),
    images: (service) => service.bareMetal.images(),
    flavors: (service) => service.bareMetal.flavors(),
  },
  machines: {
    list: (service) => service.machines.list(page),
    get: (service, { machine }) => service.machines.get(machine),
    create: (service, { here }) =>
      service.machines.create({
        name: 'another',
        flavor_id: here.flavor,
        image_id: here.image,
        ssh_key: sshKey,
      }),
    metrics: (service, { machine }) => service.machines.metrics(machine, '1h'),
  },
  firewallRules: {
    list: (service, { machine }) => service.firewallRules.list(machine, page),
    add: (service, { machine }) => service.firewallRules.add(machine, rule),
  },
  volumes: {
    list: (service) => service.volumes.list(page),
    create: (service, { here }) =>
      service.volumes.create({ display_name: 'data', region_id: here.region, type_id: here.type, size: 1 }),
    attach: (service, { machine, volume }) => service.volumes.attach(machine, { volume_ids: [volume] }),
    detach: (service, { machine, volume }) => service.volumes.detach(machine, volume),
    remove: (service, { spare }) => service.volumes.remove(spare.volume),
  },
  apiTokens: {
    list: (service) => service.apiTokens.list(page),
    create: (service) => service.apiTokens.create({ name: 'second' }),
    update: (service, { token }) => service.apiTokens.update(token, { name: 'first' }),
    remove: (service, { spare }) => service.apiTokens.remove(spare.token),
  },
  power: {
    change: (service, { machine }) => service.power.change(machine, 'reboot'),
    remove: (service, { spare }) => service.power.remove(spare.machine),
  },
}
