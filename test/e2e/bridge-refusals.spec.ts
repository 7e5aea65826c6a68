import type { Page } from '@playwright/test'
import type { CallName } from '../../src/shared/bridge/index'
import { expect, test } from './fixtures'
import { askBridge, callBridge, selectedAccount } from './support/bridge'
import { control, requestsTo, stateOf } from '../fixtures/sandbox-control'
import { publicKey } from './support/public-key'
import { chooseToConnect, connect, machineNames } from './support/window'

// Input that the forms reject (form-refusals.spec.ts) is sent here without a form, as by an attacker in the window.

const sshKey = { name: 'test', public_key: publicKey }

const first = <Item>(items: readonly Item[], what: string): Item => {
  const [item] = items
  if (item === undefined) throw new Error(`the service has no ${what}`)
  return item
}

/** A flavor in stock, an image of its region and an image of another region. */
const offersOf = async (window: Page, account: string, kind: 'machine' | 'bare-metal') => {
  const flavors = (await askBridge(window, 'catalog.flavors', { account, kind })).items
  const images = (await askBridge(window, 'catalog.images', { account, kind })).items
  const flavor = first(
    flavors.filter(({ inStock }) => inStock === true),
    'flavor in stock',
  )
  const isHere = ({ region }: { readonly region: { readonly id: string | null } }) =>
    region.id === flavor.region.id
  return {
    flavor: flavor.id,
    region: flavor.region.id ?? '',
    soldOut: first(
      flavors.filter(({ inStock }) => inStock === false),
      'flavor out of stock',
    ),
    images,
    here: first(images.filter(isHere), 'image of the region').id,
    elsewhere: first(
      images.filter((image) => !isHere(image)),
      'image of another region',
    ).id,
  }
}

const sentBy = () => ({ request: crypto.randomUUID(), again: [], identityFile: null })
const changes = (requests: readonly string[]) =>
  requests.filter((request) => !request.startsWith('GET') && request !== 'POST /authenticate/login')

let window: Page
let account: string

test.beforeEach(async ({ start, service }) => {
  window = (await start()).window
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  account = await selectedAccount(window)
})

test('input that the specification forbids is refused at the bridge, at its field, and never sent', async ({
  service,
}) => {
  const { flavor, here, region } = await offersOf(window, account, 'machine')
  const machine = first((await stateOf(service)).machines, 'machine').id
  const types = await askBridge(window, 'volumes.types', { account, region })
  const wanted = { display_name: 'data', region_id: region, type_id: first(types.items, 'type').id, size: 1 }
  const order = { name: 'm', flavor_id: flavor, ssh_key: sshKey }
  const rule = {
    direction: 'inbound',
    protocol: 'tcp',
    ethertype: 'IPv4',
    remote_ip_prefix: '203.0.113.0/24',
    port_range_min: 80,
    port_range_max: 90,
  }
  const token = first((await askBridge(window, 'apiTokens.list', { account })).items, 'API token').id

  const volume = (change: object) => ({
    account,
    request: crypto.randomUUID(),
    again: [],
    regionName: null,
    volume: { ...wanted, ...change },
  })
  const creation = (change: object) => ({ account, ...sentBy(), machine: { ...order, ...change } })
  const firewall = (change: object) => ({ account, machine, rule: { ...rule, ...change } })
  const refused: readonly (readonly [CallName, object, string])[] = [
    // api-spec.md §8
    ['volumes.create', volume({ display_name: 'x'.repeat(51) }), 'volume.display_name'],
    ['volumes.create', volume({ display_name: '' }), 'volume.display_name'],
    ['volumes.create', volume({ size: 0 }), 'volume.size'],
    ['volumes.create', volume({ size: 1_048_577 }), 'volume.size'],
    ['volumes.create', volume({ size: 1.5 }), 'volume.size'],
    ['apiTokens.update', { account, token, change: { name: 'x'.repeat(51) } }, 'change.name'],
    ['apiTokens.update', { account, token, change: { name: '' } }, 'change.name'],
    ['apiTokens.create', { account, token: { name: 'x'.repeat(51) } }, 'token.name'],
    ['firewall.add', firewall({ port_range_min: 0 }), 'rule.port_range_min'],
    ['firewall.add', firewall({ port_range_max: 65_536 }), 'rule.port_range_max'],
    ['firewall.add', firewall({ port_range_min: 91 }), 'rule.port_range_max'],
    ['firewall.add', firewall({ port_range_min: 80.5 }), 'rule.port_range_min'],
    // §4, firewall rules
    ['firewall.add', firewall({ remote_ip_prefix: '203.0.113.7' }), 'rule.remote_ip_prefix'],
    ['firewall.add', firewall({ remote_ip_prefix: '203.0.113.0/33' }), 'rule.remote_ip_prefix'],
    ['firewall.add', firewall({ remote_ip_prefix: '2001:db8::/32' }), 'rule.remote_ip_prefix'],
    ['firewall.add', firewall({ ethertype: 'IPv6' }), 'rule.remote_ip_prefix'],
    ['firewall.add', firewall({ protocol: 'any' }), 'rule.protocol'],
    ['firewall.add', firewall({ direction: 'both' }), 'rule.direction'],
    ['firewall.add', firewall({ ethertype: 'IPX' }), 'rule.ethertype'],
    // §4, creating machines and attaching volumes
    ['machine.create', creation({}), 'machine.image_id'],
    ['machine.create', creation({ image_id: here, volume_name: 'vol' }), 'machine.image_id'],
    ['machine.create', creation({ image_id: here, name: ' ' }), 'machine.name'],
    [
      'machine.create',
      creation({ image_id: here, ssh_key: { name: 'k', public_key: 'none' } }),
      'machine.ssh_key.public_key',
    ],
    ['bareMetal.create', creation({}), 'machine.image_id'],
    ['volumes.attach', { account, machine, volumes: [] }, 'volumes'],
  ]
  for (const [name, input, field] of refused)
    expect(await callBridge(window, name, input), `${name} ${JSON.stringify(input)}`).toEqual({
      ok: false,
      failure: { kind: 'invalid-input', field, reason: 'malformed' },
    })
  const unheardOf = await window.evaluate(`window.wheelhouse.call('machines.createAll', {})`)
  expect(unheardOf).toEqual({
    ok: false,
    failure: { kind: 'invalid-input', field: 'call', reason: 'unknown' },
  })
  expect(changes(await requestsTo(service))).toEqual([])
})

test('input that only the service can judge is refused with the service’s message, and nothing is created', async ({
  service,
}) => {
  const before = await control(service, 'GET', '/state')
  const virtual = await offersOf(window, account, 'machine')
  const metal = await offersOf(window, account, 'bare-metal')
  await askBridge(window, 'volumes.refresh', { account })
  const { volumes } = await askBridge(window, 'volumes.snapshot', { account })
  const free = volumes.filter(({ status }) => status === 'available')
  const bootable = first(
    free.filter((volume) => volume.bootable === true),
    'bootable volume',
  )
  const data = first(
    free.filter((volume) => volume.bootable === false),
    'volume for data',
  )
  const flavors = (await askBridge(window, 'catalog.flavors', { account, kind: 'machine' })).items
  const farFlavor = first(
    flavors.filter(({ inStock, region }) => inStock === true && region.name !== bootable.region.name),
    'flavor elsewhere',
  )
  const { machines } = await askBridge(window, 'fleet.snapshot', { account })
  const near = first(
    machines.filter(({ region }) => region === bootable.region.name),
    'machine in the region',
  )
  const far = first(
    machines.filter(({ region }) => region !== data.region.name),
    'machine elsewhere',
  )
  const soldOutImage = first(
    virtual.images.filter(({ region }) => region.id === virtual.soldOut.region.id),
    'image in the region',
  )
  const fromVolume = { create_bootable_volume: 'true', volume_name: bootable.name }

  const order = (machine: object) => ({
    account,
    ...sentBy(),
    machine: { name: 'refused', ssh_key: sshKey, ...machine },
  })
  const refused: readonly (readonly [CallName, object, string, number])[] = [
    // api-spec.md §7: regions differ
    ['machine.create', order({ flavor_id: virtual.flavor, image_id: virtual.elsewhere }), 'image_id', 400],
    ['machine.create', order({ flavor_id: farFlavor.id, ...fromVolume }), 'volume_name', 400],
    ['bareMetal.create', order({ flavor_id: metal.flavor, image_id: metal.elsewhere }), 'image_id', 400],
    // api-spec.md §7: bootable volumes are not attached
    ['volumes.attach', { account, machine: near.id, volumes: [bootable.id] }, 'volume_ids', 400],
    // service-extensions.md: a volume is attached in its own region
    ['volumes.attach', { account, machine: far.id, volumes: [data.id] }, 'volume_ids', 400],
    // Out of stock
    ['machine.create', order({ flavor_id: virtual.soldOut.id, image_id: soldOutImage.id }), 'flavor_id', 409],
  ]
  for (const [name, input, field, status] of refused) {
    const answer = await callBridge(window, name, input)
    expect(answer, `${name} ${JSON.stringify(input)}`).toMatchObject({
      ok: false,
      failure: { kind: 'refused-by-service', field, status },
    })
    expect(JSON.stringify(answer)).toContain(field)
  }
  expect(await control(service, 'GET', '/state')).toEqual(before)
})
