import { expect, it } from 'vitest'
import type { z } from 'zod'
import { BareMetalInstance } from './bare-metal'
import { Usage } from './billing'
import { Flavor } from './flavor'
import { CreatedMachine, Machine } from './machine'
import { Volume } from './volume'

const odd = { text: 5, number: '1', flag: 'yes', record: 'H100' }

it('a mistyped optional field of a machine is unknown, and the rest is read', () => {
  const machine = Machine.parse({
    id: 'm1',
    name: 'train',
    status: odd.text,
    login: { username: odd.text, password: 'secret', ssh_key: odd.record },
    fixed_ip: '10.0.0.1',
    started_time: 'yesterday',
    flavor: { name: 'h100', gpu_count: odd.number, cpu: 8 },
    image: odd.record,
    region: { name: 'Oslo' },
    beyond: [1],
  })
  expect(machine).toMatchObject({
    id: 'm1',
    login: { password: 'secret' },
    fixed_ip: '10.0.0.1',
    flavor: { name: 'h100', cpu: 8 },
    region: { name: 'Oslo' },
    beyond: [1],
  })
  const { status, started_time, flavor, image, login } = machine
  expect([status, started_time, flavor?.gpu_count, image, login?.username, login?.ssh_key]).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})

it.each([Machine, BareMetalInstance, CreatedMachine, Flavor])(
  'a missing name is replaced by the id',
  (schema: z.ZodType<{ id: string; name: string }>) => {
    for (const name of [null, undefined, 7]) expect(schema.parse({ id: 'x-1', name }).name).toBe('x-1')
    expect(schema.parse({ id: 'x-1', name: 'train' }).name).toBe('train')
    expect(schema.safeParse({ name: 'train' }).success).toBe(false)
  },
)

it('a mistyped field of a volume or usage costs only itself', () => {
  expect(Volume.parse({ id: 'v', size_gb: odd.number, bootable: odd.flag, status: 'available' })).toEqual({
    id: 'v',
    size_gb: undefined,
    bootable: undefined,
    status: 'available',
  })
  const usage = { id: 'u', resource: { id: 'r', name: odd.text }, total_fee: '3', per_minute_fee: 0.01 }
  expect(Usage.parse(usage)).toMatchObject({ resource: { id: 'r' }, per_minute_fee: 0.01 })
})
