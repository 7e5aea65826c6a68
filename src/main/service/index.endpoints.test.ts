import { expect, it } from 'vitest'
import { z } from 'zod'
import { control } from '../../../test/fixtures/account-harness'
import { transport, must, offers, sshKey, useSandboxClient } from '../../../test/fixtures/service-client'
import { passwordDigest } from '../accounts/wire-credential'
import { signIn } from './login'

const client = useSandboxClient(3)

const Requests = z.object({
  data: z.array(z.object({ method: z.string(), path: z.string(), status: z.number() })),
})

/** Every endpoint of api-spec.md §4, including two that it only mentions. */
const endpoints = [
  'POST /authenticate/login',
  'POST /volumes',
  'POST /virtual-machines',
  'GET /virtual-machines',
  'GET /virtual-machines/{id}',
  'GET /virtual-machines/{id}/metrics',
  'POST /virtual-machines/{id}/firewall-rules',
  'GET /virtual-machines/{id}/firewall-rules',
  'POST /virtual-machines/{id}/volumes',
  'DELETE /virtual-machines/{id}/volumes/{id}',
  'GET /images',
  'GET /flavors',
  'POST /bare-metal/instances',
  'GET /bare-metal/instances/{id}',
  'GET /bare-metal/images',
  'GET /bare-metal/flavors',
  'GET /billing/resources/statements',
  'GET /billing/resources/usage',
  'GET /api-tokens',
  'PUT /api-tokens/{id}',
  'GET /regions',
  'GET /volume-types',
]

it('the client implements every endpoint of the service', async () => {
  const { sandbox, service, advance } = client
  const { baseUrl, username, password } = sandbox
  const ids: string[] = []
  const known = <Thing extends { readonly id: string }>(thing: Thing): string => {
    ids.push(thing.id)
    return thing.id
  }

  await signIn(
    transport,
    [baseUrl],
    { kind: 'password', username, digest: passwordDigest(password) },
    () => true,
  )
  const { here } = await offers(service)
  await service.regions.list()
  const machine = known(
    await service.machines.create({
      name: 'm',
      flavor_id: here.flavor,
      image_id: here.image,
      ssh_key: sshKey,
    }),
  )
  const wish = { display_name: 'v', region_id: here.region, type_id: here.type, size: 1 }
  const volume = known(await service.volumes.create(wish))
  await advance(3_600)
  await service.machines.list({})
  await service.machines.get(machine)
  await service.machines.metrics(machine, '1h')
  await service.firewallRules.add(machine, {
    direction: 'inbound',
    protocol: 'tcp',
    ethertype: 'IPv4',
    remote_ip_prefix: '0.0.0.0/0',
    port_range_min: 443,
    port_range_max: 443,
  })
  await service.firewallRules.list(machine, {})
  await service.volumes.attach(machine, { volume_ids: [volume] })
  await advance(3_600)
  await service.volumes.detach(machine, volume)
  const [group] = await service.bareMetal.flavors()
  const [image] = await service.bareMetal.images(must(must(group).region_id))
  const flavor = must(must(group).products.find(({ stock_available }) => stock_available))
  const metal = { name: 'b', flavor_id: flavor.id, image_id: must(image).id, ssh_key: sshKey }
  await service.bareMetal.get(known(await service.bareMetal.create(metal)))
  await service.billing.statements({})
  await service.billing.usage({})
  const token = must((await service.apiTokens.list({})).items[0])
  await service.apiTokens.update(known(token), { name: token.name })

  const { data } = Requests.parse(await control(sandbox, 'GET', '/requests'))
  const spoken = data.map(({ method, path, status }) => {
    const template = ids.reduce((text, id) => text.replace(id, '{id}'), path.replace('/api/v1', ''))
    return { endpoint: `${method} ${template}`, status }
  })
  expect(spoken.filter(({ status }) => status !== 200)).toEqual([])
  expect([...new Set(spoken.map(({ endpoint }) => endpoint))].sort()).toEqual([...endpoints].sort())
})
