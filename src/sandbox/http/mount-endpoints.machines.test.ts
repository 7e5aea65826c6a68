import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CreatedMachine, Machine } from '#shared/service/machine'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'
import { openSshKeyPair } from '../openssh-key'
import { bareMetalFlavors, bareMetalImages, flavors, images } from '../cloud/catalog'

const publicKey = openSshKeyPair(Buffer.alloc(32, 3), 'me@home').publicKey
const sshKey = { name: 'me', public_key: publicKey }

const inRegion = <Item extends { readonly id: string; readonly region: { readonly id: string } }>(
  items: readonly Item[],
  region: string,
): string => items.find((item) => item.region.id === region)?.id ?? ''

const available = flavors.filter((flavor) => flavor.inStock)
const oslo = { image_id: inRegion(images, 'eu-north-1'), flavor_id: inRegion(available, 'eu-north-1') }
const outOfStock = flavors.find((flavor) => !flavor.inStock)

describe('creating machines in the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const State = z.object({
    machines: z.array(
      z.object({ id: z.string(), volume_ids: z.array(z.string()), public_key: z.string().nullable() }),
    ),
    volumes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.string(),
        bootable: z.boolean(),
        region_id: z.string(),
      }),
    ),
  })
  const state = async () => State.parse((await sandbox.control('GET', '/state')).data)
  const machine = (id: string) => sandbox.read(Machine, `/virtual-machines/${id}`)
  const create = async (body: Record<string, unknown>) => {
    const answer = await sandbox.ask('POST', '/virtual-machines', { name: 'mine', ssh_key: sshKey, ...body })
    expect(answer).toMatchObject({ code: 200, status: true })
    return CreatedMachine.parse(answer.data)
  }

  it('creates a machine that is soon running and reachable', async () => {
    const { id, name } = await create({ ...oslo, name: 'fresh', init_script: '#!/bin/sh' })
    expect(name).toBe('fresh')
    const creating = await machine(id)
    expect(creating.status).toBe('creating')
    expect(creating.fixed_ip).toBeUndefined()
    await sandbox.control('POST', '/clock', { advance: 90 })
    const running = await machine(id)
    expect(running).toMatchObject({
      status: 'running',
      login: { ssh_key: { name: 'me' } },
      region: { name: 'Oslo' },
    })
    expect(running.fixed_ip).toMatch(/^127\./)
    expect((await state()).machines.find((one) => one.id === id)?.public_key).toBe(publicKey)
  })

  it('bills a machine from its creation', async () => {
    const { id } = await create(oslo)
    await sandbox.control('POST', '/clock', { advance: 600 })
    const filters = encodeURIComponent(JSON.stringify([{ key: 'resource.id', op: 'eq', val: id }]))
    const Usage = z.array(z.object({ total_uptime: z.number(), status: z.string() })).length(1)
    expect(await sandbox.read(Usage, `/billing/resources/usage?filters=${filters}`)).toMatchObject([
      { total_uptime: 10, status: 'active' },
    ])
  })

  it('starts a machine from a bootable volume, by its generated name', async () => {
    const volume = (await state()).volumes.find((one) => one.bootable && one.region_id === 'eu-north-1')
    const { id } = await create({
      flavor_id: oslo.flavor_id,
      create_bootable_volume: 'true',
      volume_name: volume?.name,
    })
    await sandbox.control('POST', '/clock', { advance: 90 })
    const after = await state()
    expect(after.machines.find((one) => one.id === id)?.volume_ids).toEqual([volume?.id])
    expect(after.volumes.find((one) => one.id === volume?.id)?.status).toBe('in-use')
    const again = { name: 'x', ssh_key: sshKey, flavor_id: oslo.flavor_id, volume_name: volume?.name }
    expect((await sandbox.ask('POST', '/virtual-machines', again)).code).toBe(409)
    const detach = await sandbox.ask('DELETE', `/virtual-machines/${id}/volumes/${volume?.id}`)
    expect(detach).toMatchObject({ code: 400, data: { field: 'volume_id' } })
  })

  const refused = (
    why: string,
    field: string,
    change: Record<string, unknown>,
    code = 400,
  ): [string, string, Record<string, unknown>, number] => [why, field, change, code]

  it.each([
    refused('no name', 'name', { name: undefined }),
    refused('an empty name', 'name', { name: '' }),
    refused('no image', 'image_id', { image_id: undefined }),
    refused('an unknown image', 'image_id', { image_id: '0' }, 404),
    refused('an image of another region', 'image_id', { image_id: inRegion(images, 'us-east-1') }),
    refused(
      'an image for bare metal',
      'image_id',
      { image_id: inRegion(bareMetalImages, 'eu-north-1') },
      404,
    ),
    refused('no flavor', 'flavor_id', { flavor_id: undefined }),
    refused('an unknown flavor', 'flavor_id', { flavor_id: '0' }, 404),
    refused(
      'a flavor that is out of stock',
      'flavor_id',
      { flavor_id: outOfStock?.id, image_id: inRegion(images, outOfStock?.region.id ?? '') },
      409,
    ),
    refused('no key', 'ssh_key', { ssh_key: undefined }),
    refused('a key without a name', 'ssh_key.name', { ssh_key: { public_key: publicKey } }),
    refused('a key that is none', 'ssh_key.public_key', {
      ssh_key: { name: 'x', public_key: 'ssh-ed25519 AAAA' },
    }),
    refused('a private key', 'ssh_key.public_key', {
      ssh_key: { name: 'x', public_key: '-----BEGIN OPENSSH PRIVATE KEY-----' },
    }),
    refused('two keys', 'ssh_key.public_key', {
      ssh_key: { name: 'x', public_key: `${publicKey}\n${publicKey}` },
    }),
    refused('a boolean for a word', 'create_bootable_volume', { create_bootable_volume: true }),
    refused('no volume to boot from', 'volume_name', { create_bootable_volume: 'true', image_id: undefined }),
    refused('an image beside a volume', 'image_id', { create_bootable_volume: 'true', volume_name: 'vol-0' }),
    refused('a volume while that is off', 'volume_name', {
      create_bootable_volume: 'false',
      volume_name: 'vol-0',
    }),
    refused('an unknown volume', 'volume_name', { image_id: undefined, volume_name: 'vol-0' }, 404),
  ])('refuses %s and names %s', async (_, field, change, code) => {
    const answer = await sandbox.ask('POST', '/virtual-machines', {
      name: 'x',
      ssh_key: sshKey,
      ...oslo,
      ...change,
    })
    expect(answer).toMatchObject({ code, status: false, data: { field } })
    expect(answer.message).toContain(field)
  })

  it('refuses volumes of another region, and volumes that are not bootable', async () => {
    const { volumes } = await state()
    const attempt = (name: string | undefined) =>
      sandbox.ask('POST', '/virtual-machines', {
        name: 'x',
        ssh_key: sshKey,
        flavor_id: oslo.flavor_id,
        create_bootable_volume: 'true',
        volume_name: name,
      })
    const elsewhere = volumes.find((volume) => volume.bootable && volume.region_id === 'us-east-1')
    expect(await attempt(elsewhere?.name)).toMatchObject({ code: 400, data: { field: 'volume_name' } })
    const plain = volumes.find((volume) => !volume.bootable && volume.status === 'available')
    expect(await attempt(plain?.name)).toMatchObject({ code: 400, data: { field: 'volume_name' } })
  })

  it('creates bare metal under the same rules', async () => {
    const instance = {
      name: 'metal',
      ssh_key: sshKey,
      image_id: inRegion(bareMetalImages, 'us-central-1'),
      flavor_id: inRegion(bareMetalFlavors, 'us-central-1'),
    }
    const answer = await sandbox.ask('POST', '/bare-metal/instances', instance)
    expect(answer).toMatchObject({ code: 200, data: { name: 'metal' } })
    const { id } = CreatedMachine.parse(answer.data)
    await sandbox.control('POST', '/clock', { advance: 240 })
    const shown = await sandbox.ask('GET', `/bare-metal/instances/${id}`)
    expect(shown.data).toMatchObject({
      id,
      region: { name: 'Texas' },
      fixed_ip: expect.stringMatching(/^127\./),
    })
    expect(shown.data).not.toHaveProperty('login.username')
    expect(shown.data).not.toHaveProperty('login.password')
    const elsewhere = { ...instance, image_id: inRegion(bareMetalImages, 'eu-north-1') }
    const attempt = (body: unknown) => sandbox.ask('POST', '/bare-metal/instances', body)
    expect(await attempt(elsewhere)).toMatchObject({ code: 400, data: { field: 'image_id' } })
    expect(await attempt({ ...instance, ...oslo })).toMatchObject({ code: 404, data: { field: 'flavor_id' } })
    expect(await attempt({ ...instance, ssh_key: {} })).toMatchObject({
      code: 400,
      data: { field: 'ssh_key.name' },
    })
  })

  it('returns 30 days of metrics of an old machine, one point per minute', async () => {
    const filters = encodeURIComponent('[{"key":"name","op":"eq","val":"serve-embeddings"}]')
    const [old] = await sandbox.read(z.array(Machine), `/virtual-machines?filters=${filters}`)
    const Metrics = z.object({ cpu: z.object({ data: z.array(z.unknown()) }) })
    const points = async (query: string) =>
      (await sandbox.read(Metrics, `/virtual-machines/${old?.id}/metrics${query}`)).cpu.data.length
    expect(await points('?duration=30d')).toBe(43_200)
    expect(await points('')).toBe(43_200)
    expect(await points('?duration=1h')).toBe(60)
    const wrong = await sandbox.ask('GET', `/virtual-machines/${old?.id}/metrics?duration=5m`)
    expect(wrong).toMatchObject({ code: 400, data: { field: 'duration' } })
  })
})
