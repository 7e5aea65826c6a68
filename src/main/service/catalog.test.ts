import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NewBareMetalInstance } from '#shared/service/bare-metal'
import { must, refusal, sshKey, useSandboxClient } from '../../../test/fixtures/service-client'

const client = useSandboxClient(1)

const catalogues = {
  'virtual machines': {
    images: (region?: string) => client.service.images.list(region),
    flavors: (region?: string) => client.service.flavors.list(region),
  },
  'bare metal': {
    images: (region?: string) => client.service.bareMetal.images(region),
    flavors: (region?: string) => client.service.bareMetal.flavors(region),
  },
} as const

describe.each(['virtual machines', 'bare metal'] as const)('the catalogue of %s', (kind) => {
  const { images, flavors } = catalogues[kind]

  it('lists images, all or those of one region', async () => {
    const all = await images()
    const region = must(all[0]?.region_id)
    const some = await images(region)
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
    expect(some).toEqual(all.filter(({ region_id }) => region_id === region))
  })

  it('lists flavors by region, all or those of one', async () => {
    const all = await flavors()
    for (const { region_id, products } of all) {
      expect(products.length).toBeGreaterThan(0)
      for (const flavor of products) {
        expect(flavor.region_id).toBe(region_id)
        expect(flavor.price).toBeGreaterThan(0)
        expect(flavor.gpu).toMatch(/\w/)
        expect('ephemeral' in flavor).toBe(kind === 'virtual machines')
      }
    }
    const region = must(all[1]?.region_id)
    expect(await flavors(region)).toEqual(all.filter(({ region_id }) => region_id === region))
  })

  it('refuses an unknown region', async () => {
    await expect(images('unknown')).rejects.toMatchObject(refusal(404, 'region_id'))
    await expect(flavors('unknown')).rejects.toMatchObject(refusal(404, 'region_id'))
  })
})

describe('regions and volume types', () => {
  it('match the regions and types of the catalogues', async () => {
    const regions = new Set((await client.service.regions.list()).map(({ id }) => id))
    const spoken = [...(await client.service.flavors.list()), ...(await client.service.bareMetal.flavors())]
    expect(regions.size).toBeGreaterThanOrEqual(3)
    for (const { region_id } of spoken) expect(regions).toContain(region_id)
    const region = must((await client.service.flavors.list())[0]?.region_id)
    const types = await client.service.volumeTypes.list(region)
    expect(types).toMatchObject([{ name: 'Cloud-SSD', region_id: region }])
    expect((await client.service.volumeTypes.list()).length).toBeGreaterThan(types.length)
    await expect(client.service.volumeTypes.list('unknown')).rejects.toMatchObject(refusal(404, 'region_id'))
  })
})

describe('a bare metal instance', () => {
  const wish = async (more: Partial<NewBareMetalInstance> = {}): Promise<NewBareMetalInstance> => {
    const group = must((await client.service.bareMetal.flavors())[0])
    const flavor = must(group.products.find(({ stock_available }) => stock_available === true))
    const image = must((await client.service.bareMetal.images(must(group.region_id)))[0])
    return { name: 'metal', flavor_id: flavor.id, image_id: image.id, ssh_key: sshKey, ...more }
  }

  it('is created and found by its id, without user name and password', async () => {
    const created = await client.service.bareMetal.create(await wish())
    expect(created).toMatchObject({ name: 'metal' })
    await client.advance(7_200)
    const instance = await client.service.bareMetal.get(created.id)
    expect(instance).toMatchObject({ id: created.id, name: 'metal', login: { ssh_key: { name: 'laptop' } } })
    expect(instance.login).not.toHaveProperty('username')
    expect(instance.login).not.toHaveProperty('password')
    expect(instance.flavor?.gpu_count).toBe(8)
  })

  it('is refused if image and flavor are of different regions, or the flavor is out of stock', async () => {
    const groups = await client.service.bareMetal.flavors()
    const [here, there] = [must(groups[0]), must(groups[1])]
    const [image] = await client.service.bareMetal.images(must(there.region_id))
    const attempt = async (more: Partial<NewBareMetalInstance>) =>
      client.service.bareMetal.create(await wish(more))
    await expect(attempt({ image_id: must(image).id })).rejects.toMatchObject(refusal(400, 'image_id'))
    const soldOut = must(here.products.find(({ stock_available }) => stock_available === false))
    await expect(attempt({ flavor_id: soldOut.id })).rejects.toMatchObject(refusal(409, 'flavor_id'))
  })

  it.each([
    ['name', undefined, 400],
    ['name', '', 400],
    ['image_id', undefined, 400],
    ['image_id', 'unknown', 404],
    ['flavor_id', undefined, 400],
    ['flavor_id', 'unknown', 404],
    ['ssh_key', undefined, 400],
    ['ssh_key.public_key', { name: 'k', public_key: 'no key' }, 400],
  ])('is refused for its %s: %j', async (field, value, status) => {
    const body = { ...(await wish()), [field.split('.')[0] ?? field]: value }
    const attempt = client.http.send('POST', '/bare-metal/instances', body, z.unknown())
    await expect(attempt).rejects.toMatchObject(refusal(status, field))
  })

  it('is not found by an unknown id', async () => {
    await expect(client.service.bareMetal.get('unknown')).rejects.toMatchObject(refusal(404, 'id'))
  })
})
