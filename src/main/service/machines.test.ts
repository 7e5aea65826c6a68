import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NewMachine } from '#shared/service/machine'
import type { Filter } from '#shared/service/page'
import { metricDurations, Metrics } from '#shared/service/metrics'
import { must, offers, refusal, sshKey, useSandboxClient } from '../../../test/fixtures/service-client'

const client = useSandboxClient(30)

describe('the list of machines', () => {
  it('comes in pages with a total that counts all', async () => {
    const whole = await client.service.machines.list({ limit: 1_000 })
    expect(whole.total).toBe(30)
    expect(whole.items).toHaveLength(30)
    const pages = await Promise.all(
      [0, 12, 24, 36].map((offset) => client.service.machines.list({ limit: 12, offset })),
    )
    expect(pages.map(({ items }) => items.length)).toEqual([12, 12, 6, 0])
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(whole.items.map(({ id }) => id))
    expect(pages.map(({ total }) => total)).toEqual([30, 30, 30, 30])
  })

  it('is sorted by the requested field and order', async () => {
    const names = async (sortOrder: 'asc' | 'desc') =>
      (await client.service.machines.list({ limit: 1_000, sortField: 'name', sortOrder })).items.map(
        ({ name }) => name,
      )
    const ascending = await names('asc')
    expect(ascending).toEqual([...ascending].sort())
    expect(await names('desc')).toEqual([...ascending].sort().reverse())
  })

  it('contains the machines that pass all filters, with every operator', async () => {
    const { items } = await client.service.machines.list({ limit: 1_000 })
    const one = must(items[3])
    const cpu = must(one.flavor?.cpu)
    const idsBy = async (...filters: readonly Filter[]) =>
      (await client.service.machines.list({ limit: 1_000, filters: [...filters] })).items
        .map(({ id }) => id)
        .sort()
    const idsWhere = (holds: (machine: (typeof items)[number]) => boolean) =>
      items
        .filter(holds)
        .map(({ id }) => id)
        .sort()
    const part = one.name.slice(1, 5)
    expect(await idsBy({ key: 'name', op: 'contains', val: part.toUpperCase() })).toEqual(
      idsWhere(({ name }) => name.toLowerCase().includes(part.toLowerCase())),
    )
    expect(await idsBy({ key: 'id', op: 'eq', val: one.id })).toEqual([one.id])
    expect(await idsBy({ key: 'status', op: 'ne', val: 'running' })).toEqual(
      idsWhere(({ status }) => status !== 'running'),
    )
    expect(await idsBy({ key: 'flavor.cpu', op: 'gt', val: cpu })).toEqual(
      idsWhere(({ flavor }) => must(flavor?.cpu) > cpu),
    )
    expect(
      await idsBy({ key: 'flavor.cpu', op: 'lt', val: cpu }, { key: 'status', op: 'eq', val: 'running' }),
    ).toEqual(idsWhere(({ flavor, status }) => must(flavor?.cpu) < cpu && status === 'running'))
  })

  it.each([
    ['no JSON', '[{', 'filters'],
    ['no list', '{"key":"name"}', 'filters'],
    ['an unknown operator', '[{"key":"name","op":"like","val":"a"}]', 'filters[0].op'],
    ['no value', '[{"key":"name","op":"eq"}]', 'filters[0].val'],
    ['an unknown field', '[{"key":"nome","op":"eq","val":"a"}]', 'filters[0].key'],
    ['a value of another kind', '[{"key":"flavor.cpu","op":"gt","val":"many"}]', 'filters[0].val'],
  ])('refuses filters that are malformed, with the reason: %s', async (_, filters, field) => {
    const attempt = client.http.get('/virtual-machines', z.unknown(), { query: { filters } })
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })

  it.each([
    ['limit', '1001'],
    ['limit', '0'],
    ['limit', 'many'],
    ['offset', '-1'],
    ['sortField', 'colour'],
    ['sortOrder', 'up'],
  ])('refuses %s=%s', async (field, value) => {
    const attempt = client.http.get('/virtual-machines', z.unknown(), { query: { [field]: value } })
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })
})

describe('a machine', () => {
  it('is the same by its id as in the list', async () => {
    const { items } = await client.service.machines.list({ limit: 1 })
    const machine = must(items[0])
    expect(await client.service.machines.get(machine.id)).toEqual(machine)
    expect(machine.login).toMatchObject({
      username: expect.stringMatching(/\w/),
      password: expect.stringMatching(/\w/),
    })
  })

  it.each(['nothing', '..%2Fimages', 'a b'])('is not found by the unknown id %j', async (id) => {
    await expect(client.service.machines.get(id)).rejects.toMatchObject(refusal(404, 'id'))
    await expect(client.service.machines.metrics(id)).rejects.toMatchObject(refusal(404, 'id'))
  })

  it('reports its load for every period, a point per minute, ordered by time', async () => {
    const { items } = await client.service.machines.list({
      limit: 1,
      sortField: 'started_time',
      filters: [{ key: 'status', op: 'eq', val: 'running' }],
    })
    const { id } = must(items[0])
    const lengths: number[] = []
    for (const duration of [...metricDurations, undefined]) {
      const answer = await client.service.machines.metrics(id, duration)
      const { cpu, memory, disk, network } = Metrics.parse(answer)
      const times = cpu.data.map(({ time }) => time)
      expect(times).toEqual([...times].sort((left, right) => left - right))
      expect([memory, disk, network].map(({ data }) => data.length)).toEqual(
        Array.from({ length: 3 }, () => times.length),
      )
      expect([cpu, memory, disk, network].map(({ unit }) => unit)).toEqual(['%', '%', 'GB', 'GB'])
      lengths.push(times.length)
    }
    expect(lengths.slice(0, 3)).toEqual([60, 120, 240])
    expect(lengths).toEqual([...lengths].sort((left, right) => left - right))
    const attempt = client.http.get(`/virtual-machines/${id}/metrics`, z.unknown(), {
      query: { duration: '2y' },
    })
    await expect(attempt).rejects.toMatchObject(refusal(400, 'duration'))
  })
})

describe('creating a machine', () => {
  const wish = async (more: Partial<NewMachine> = {}): Promise<NewMachine> => {
    const { here } = await offers(client.service)
    return { name: 'trainer', flavor_id: here.flavor, image_id: here.image, ssh_key: sshKey, ...more }
  }

  const bootVolume = async (where: {
    readonly region: string
    readonly type: string
    readonly image?: string
  }) => {
    const volume = await client.service.volumes.create({
      display_name: 'boot',
      region_id: where.region,
      type_id: where.type,
      size: 100,
      ...(where.image === undefined ? {} : { image_id: where.image }),
    })
    await client.advance(3_600)
    return must(volume.name)
  }

  it('returns its name and id, and the machine runs after a while', async () => {
    const created = await client.service.machines.create(await wish({ init_script: '#!/bin/sh\ntrue\n' }))
    expect(created).toMatchObject({ name: 'trainer' })
    expect((await client.service.machines.get(created.id)).status).toBe('creating')
    await client.advance(3_600)
    const machine = await client.service.machines.get(created.id)
    expect(machine).toMatchObject({
      name: 'trainer',
      status: 'running',
      login: { ssh_key: { name: 'laptop' } },
    })
    expect(machine.started_time).toBeGreaterThan(0)
  })

  it('is refused if image and flavor are of different regions', async () => {
    const { there } = await offers(client.service)
    const attempt = client.service.machines.create(await wish({ image_id: there.image }))
    await expect(attempt).rejects.toMatchObject(refusal(400, 'image_id'))
  })

  it.each(['name', 'flavor_id', 'image_id', 'ssh_key'])('is refused without %s', async (field) => {
    const attempt = client.http.send(
      'POST',
      '/virtual-machines',
      { ...(await wish()), [field]: undefined },
      z.unknown(),
    )
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })

  it.each([
    ['flavor_id', { flavor_id: 'unknown' }, 404],
    ['image_id', { image_id: 'unknown' }, 404],
    ['ssh_key.name', { ssh_key: { public_key: sshKey.public_key } }, 400],
    ['ssh_key.public_key', { ssh_key: { name: 'k', public_key: 'ssh-ed25519 AAAA' } }, 400],
    ['create_bootable_volume', { create_bootable_volume: 'yes' }, 400],
    ['create_bootable_volume', { create_bootable_volume: true }, 400],
    ['volume_name', { create_bootable_volume: 'true', image_id: undefined }, 400],
    ['volume_name', { volume_name: 'unknown', image_id: undefined }, 404],
  ])('is refused for its %s: %j', async (field, part, status) => {
    const attempt = client.http.send('POST', '/virtual-machines', { ...(await wish()), ...part }, z.unknown())
    await expect(attempt).rejects.toMatchObject(refusal(status, field))
  })

  it('is refused if the flavor is out of stock', async () => {
    const { groups, images } = await offers(client.service)
    const products = groups.flatMap((group) => group.products)
    const flavor = must(products.find(({ stock_available }) => stock_available === false))
    const image = must(images.find(({ region_id }) => region_id === flavor.region_id))
    const attempt = client.service.machines.create(await wish({ flavor_id: flavor.id, image_id: image.id }))
    await expect(attempt).rejects.toMatchObject(refusal(409, 'flavor_id'))
  })

  it('can boot from an existing bootable volume instead of an image', async () => {
    const { here } = await offers(client.service)
    const volume_name = await bootVolume(here)
    const body: NewMachine = { name: 'from-volume', flavor_id: here.flavor, ssh_key: sshKey, volume_name }
    expect(await client.service.machines.create({ ...body, create_bootable_volume: 'true' })).toMatchObject({
      name: 'from-volume',
    })
    await expect(client.service.machines.create(body)).rejects.toMatchObject(refusal(409, 'volume_name'))
  })

  it('is refused if that volume is not bootable, of another region, or sent together with an image', async () => {
    const { here, there } = await offers(client.service)
    const attempt = async (volume_name: string, image_id?: string) =>
      client.service.machines.create({
        name: 'x',
        flavor_id: here.flavor,
        ssh_key: sshKey,
        volume_name,
        ...(image_id === undefined ? {} : { image_id }),
      })
    const data = await bootVolume({ region: here.region, type: here.type })
    await expect(attempt(data)).rejects.toMatchObject(refusal(400, 'volume_name'))
    await expect(attempt(await bootVolume(there))).rejects.toMatchObject(refusal(400, 'volume_name'))
    await expect(attempt(await bootVolume(here), here.image)).rejects.toMatchObject(refusal(400, 'image_id'))
  })
})
