import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Volume } from '#shared/service/volume'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'
import { images, volumeTypes } from '../cloud/catalog'

const typeIn = (region: string): string => volumeTypes.find((type) => type.region.id === region)?.id ?? ''
const imageIn = (region: string): string => images.find((image) => image.region.id === region)?.id ?? ''
const wanted = { display_name: 'data', region_id: 'us-east-1', type_id: typeIn('us-east-1'), size: 100 }

describe('volumes of the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const State = z.object({
    machines: z.array(z.object({ id: z.string(), status: z.string(), region_id: z.string() })),
    volumes: z.array(z.object({ id: z.string(), status: z.string(), attached_to: z.string().nullable() })),
  })
  const state = async () => State.parse((await sandbox.control('GET', '/state')).data)
  const volumeState = async (id: string) => (await state()).volumes.find((volume) => volume.id === id)
  const machineIn = async (region: string, status = 'running') =>
    (await state()).machines.find((machine) => machine.region_id === region && machine.status === status)
      ?.id ?? ''
  const create = async (change: Record<string, unknown> = {}) =>
    Volume.parse((await sandbox.ask('POST', '/volumes', { ...wanted, ...change })).data)
  const attach = (machine: string, ...ids: string[]) =>
    sandbox.ask('POST', `/virtual-machines/${machine}/volumes`, { volume_ids: ids })
  const detach = (machine: string, id: string) =>
    sandbox.ask('DELETE', `/virtual-machines/${machine}/volumes/${id}`)
  const pass = (seconds: number) => sandbox.control('POST', '/clock', { advance: seconds })

  it('creates a volume that is soon available', async () => {
    const volume = await create({ description: 'for tests' })
    expect(volume).toMatchObject({
      display_name: 'data',
      size_gb: 100,
      status: 'creating',
      description: 'for tests',
      payment_currency: 'USD',
    })
    expect(volume.name).toMatch(/^vol-/)
    await pass(8)
    expect(await volumeState(volume.id)).toMatchObject({ status: 'available' })
  })

  it('attaches and detaches a volume through temporary statuses', async () => {
    const machine = await machineIn('us-east-1')
    const [first, second] = [await create(), await create()]
    await pass(8)
    expect(await attach(machine, first.id, second.id)).toMatchObject({ code: 200, status: true })
    expect(await volumeState(first.id)).toMatchObject({ status: 'attaching', attached_to: machine })
    expect((await detach(machine, first.id)).code).toBe(409)
    await pass(5)
    expect(await volumeState(second.id)).toMatchObject({ status: 'in-use', attached_to: machine })
    expect((await attach(machine, first.id)).code).toBe(409)
    expect(await detach(machine, first.id)).toMatchObject({
      code: 200,
      data: { volume_id: first.id, status: 'detaching' },
    })
    await pass(5)
    expect(await volumeState(first.id)).toMatchObject({ status: 'available', attached_to: null })
    expect(await detach(machine, first.id)).toMatchObject({ code: 404, data: { field: 'volume_id' } })
  })

  it('attaches to a stopped machine, and not to a machine under creation', async () => {
    const [volume, machine] = [
      await create({ region_id: 'eu-north-1', type_id: typeIn('eu-north-1') }),
      await machineIn('eu-north-1'),
    ]
    await pass(8)
    const put = (status: string) => sandbox.control('PUT', `/machines/${machine}/status`, { status })
    await put('creating')
    expect((await attach(machine, volume.id)).code).toBe(409)
    await put('stopped')
    expect((await attach(machine, volume.id)).code).toBe(200)
  })

  it('attaches all volumes or none', async () => {
    const machine = await machineIn('us-east-1')
    const good = await create()
    const bootable = await create({ image_id: imageIn('us-east-1') })
    const elsewhere = await create({ region_id: 'eu-west-1', type_id: typeIn('eu-west-1') })
    await pass(8)
    const refusals: [ids: string[], code: number, why: string][] = [
      [[good.id, bootable.id], 400, 'bootable'],
      [[good.id, elsewhere.id], 400, 'region'],
      [[good.id, '0'], 404, 'no such volume'],
      [[good.id, good.id], 400, 'twice'],
      [[], 400, 'at least 1'],
    ]
    for (const [ids, code, why] of refusals) {
      const answer = await attach(machine, ...ids)
      expect(answer).toMatchObject({ code, data: { field: 'volume_ids' } })
      expect(answer.message).toContain(why)
    }
    expect((await attach('0', good.id)).code).toBe(404)
    expect(await volumeState(good.id)).toMatchObject({ status: 'available', attached_to: null })
  })

  it('accepts every value up to its limits', async () => {
    expect(await create({ display_name: 'd'.repeat(50), size: 1_048_576 })).toMatchObject({
      size_gb: 1_048_576,
    })
    expect(await create({ size: 1 })).toMatchObject({ size_gb: 1 })
  })

  const refused = (
    field: string,
    change: Record<string, unknown>,
    code = 400,
  ): [string, Record<string, unknown>, number] => [field, change, code]

  it.each([
    refused('display_name', { display_name: 'd'.repeat(51) }),
    refused('display_name', { display_name: '' }),
    refused('display_name', { display_name: undefined }),
    refused('size', { size: 0 }),
    refused('size', { size: 1_048_577 }),
    refused('size', { size: 1.5 }),
    refused('size', { size: '100' }),
    refused('region_id', { region_id: 'nowhere' }, 404),
    refused('region_id', { region_id: undefined }),
    refused('type_id', { type_id: 'nothing' }, 404),
    refused('type_id', { type_id: typeIn('eu-west-1') }),
    refused('image_id', { image_id: '0' }, 404),
    refused('image_id', { image_id: imageIn('eu-west-1') }),
    refused('payment_currency', { payment_currency: 'XYZ' }),
  ])('refuses to create one with a wrong %s: %j', async (field, change, code) => {
    const answer = await sandbox.ask('POST', '/volumes', { ...wanted, ...change })
    expect(answer).toMatchObject({ code, status: false, data: { field } })
    expect(answer.message).toContain(field)
  })
})
