import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { limits } from '#shared/service/limits'
import type { NewVolume } from '#shared/service/volume'
import { control } from '../../../test/fixtures/account-harness'
import { must, offers, refusal, sshKey, useSandboxClient } from '../../../test/fixtures/service-client'

const client = useSandboxClient(3)

const hour = 3_600

const wish = async (more: Partial<NewVolume> = {}): Promise<NewVolume> => {
  const { here } = await offers(client.service)
  return { display_name: 'scratch', region_id: here.region, type_id: here.type, size: 10, ...more }
}

/** Creates a volume that can be attached. */
const available = async (more: Partial<NewVolume> = {}): Promise<string> => {
  const { id } = await client.service.volumes.create(await wish(more))
  await client.advance(hour)
  return id
}

/** Returns a running machine in the region of the volumes. */
const machineHere = async (): Promise<string> => {
  const { here } = await offers(client.service)
  const machine = { name: 'host', flavor_id: here.flavor, image_id: here.image, ssh_key: sshKey }
  const { id } = await client.service.machines.create(machine)
  await client.advance(hour)
  return id
}

const State = z.object({
  data: z.object({ volumes: z.array(z.looseObject({ id: z.string(), status: z.string() })) }),
})

/** Reads a volume's state from the sandbox's records, as the specification has no list of volumes. */
const stateOf = async (volume: string): Promise<string> => {
  const { data } = State.parse(await control(client.sandbox, 'GET', '/state'))
  return must(data.volumes.find(({ id }) => id === volume)).status
}

describe('creating a volume', () => {
  it('returns the volume, which becomes available after a while', async () => {
    const volume = await client.service.volumes.create(await wish({ description: 'for checkpoints' }))
    expect(volume).toMatchObject({
      display_name: 'scratch',
      size_gb: 10,
      status: 'creating',
      description: 'for checkpoints',
      payment_currency: 'USD',
    })
    expect(volume.name).not.toBe('scratch')
    await client.advance(hour)
    expect(await stateOf(volume.id)).toBe('available')
  })

  it('accepts values up to the limits', async () => {
    const display_name = 'x'.repeat(limits.volumeDisplayName)
    const size = limits.volumeSize.max
    expect(await client.service.volumes.create(await wish({ display_name, size }))).toMatchObject({
      display_name,
      size_gb: size,
    })
  })

  it.each([
    ['display_name', 'x'.repeat(limits.volumeDisplayName + 1), 400],
    ['display_name', '', 400],
    ['display_name', undefined, 400],
    ['size', limits.volumeSize.max + 1, 400],
    ['size', 0, 400],
    ['size', 1.5, 400],
    ['size', '10', 400],
    ['size', undefined, 400],
    ['region_id', 'unknown', 404],
    ['region_id', undefined, 400],
    ['type_id', 'unknown', 404],
    ['type_id', undefined, 400],
    ['image_id', 'unknown', 404],
    ['payment_currency', 'XYZ', 400],
  ])('is refused with %s %j', async (field, value, status) => {
    const attempt = client.http.send('POST', '/volumes', { ...(await wish()), [field]: value }, z.unknown())
    await expect(attempt).rejects.toMatchObject(refusal(status, field))
  })

  it('is refused if type or image are of another region', async () => {
    const { there } = await offers(client.service)
    const attempt = async (more: Partial<NewVolume>) => client.service.volumes.create(await wish(more))
    await expect(attempt({ type_id: there.type })).rejects.toMatchObject(refusal(400, 'type_id'))
    await expect(attempt({ image_id: there.image })).rejects.toMatchObject(refusal(400, 'image_id'))
  })
})

describe('attaching volumes', () => {
  it('attaches several at once, and detaches one', async () => {
    const machine = await machineHere()
    const volume_ids = [await available(), await available()]
    const [first, second] = [must(volume_ids[0]), must(volume_ids[1])]
    expect(await client.service.volumes.attach(machine, { volume_ids })).toBeUndefined()
    expect(await stateOf(first)).toBe('attaching')
    await client.advance(hour)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['in-use', 'in-use'])
    expect(await client.service.volumes.detach(machine, first)).toMatchObject([
      { volume_id: first, status: 'detaching' },
    ])
    await client.advance(hour)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['available', 'in-use'])
  })

  it('is refused for a bootable volume', async () => {
    const { here } = await offers(client.service)
    const bootable = await available({ image_id: here.image })
    const attempt = client.service.volumes.attach(await machineHere(), { volume_ids: [bootable] })
    await expect(attempt).rejects.toMatchObject({
      failure: {
        kind: 'refused-by-service',
        status: 400,
        field: 'volume_ids',
        message: expect.stringContaining('bootable'),
      },
    })
  })

  it('is refused for a volume of another region, one in use, a repeated one, and an unknown one', async () => {
    const { there } = await offers(client.service)
    const machine = await machineHere()
    const attach = (...volume_ids: string[]) => client.service.volumes.attach(machine, { volume_ids })
    const elsewhere = await available({ region_id: there.region, type_id: there.type })
    await expect(attach(elsewhere)).rejects.toMatchObject(refusal(400, 'volume_ids'))
    const own = await available()
    await expect(attach(own, own)).rejects.toMatchObject(refusal(400, 'volume_ids'))
    await expect(attach(own, 'unknown')).rejects.toMatchObject(refusal(404, 'volume_ids'))
    expect(await stateOf(own)).toBe('available')
    await attach(own)
    await expect(attach(own)).rejects.toMatchObject(refusal(409, 'volume_ids'))
  })

  it.each([[{ volume_ids: [] }], [{ volume_ids: 'one' }], [{}]])('is refused with %j', async (body) => {
    const path = `/virtual-machines/${await machineHere()}/volumes`
    await expect(client.http.send('POST', path, body, z.unknown())).rejects.toMatchObject(
      refusal(400, 'volume_ids'),
    )
  })

  it('is refused for a machine that is unknown or still being created', async () => {
    const volume_ids = [await available()]
    await expect(client.service.volumes.attach('unknown', { volume_ids })).rejects.toMatchObject(
      refusal(404, 'virtual_machine_id'),
    )
    const machine = await machineHere()
    await control(client.sandbox, 'PUT', `/machines/${machine}/status`, { status: 'creating' })
    await expect(client.service.volumes.attach(machine, { volume_ids })).rejects.toMatchObject(
      refusal(409, 'virtual_machine_id'),
    )
  })
})

describe('detaching a volume', () => {
  it('is refused if it is not attached, not known, or its machine is not known', async () => {
    const [machine, volume] = [await machineHere(), await available()]
    const { detach } = client.service.volumes
    await expect(detach(machine, volume)).rejects.toMatchObject(refusal(404, 'volume_id'))
    await expect(detach(machine, 'unknown')).rejects.toMatchObject(refusal(404, 'volume_id'))
    await expect(detach('unknown', volume)).rejects.toMatchObject(refusal(404, 'virtual_machine_id'))
  })

  it('is refused while it is being attached', async () => {
    const [machine, volume] = [await machineHere(), await available()]
    await client.service.volumes.attach(machine, { volume_ids: [volume] })
    await expect(client.service.volumes.detach(machine, volume)).rejects.toMatchObject(
      refusal(409, 'volume_id'),
    )
  })
})
