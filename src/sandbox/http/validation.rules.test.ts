import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'
import { NewBareMetalInstance, NewMachine } from './schemas/machines'
import { NewVolume } from './schemas/volumes'

/** Returns the documented example of a request body. */
const exampleOf = (schema: z.ZodType): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(z.array(z.unknown()).parse(schema.meta()?.examples)[0])

const machine = exampleOf(NewMachine)
const creations = [
  ['a virtual machine', '/virtual-machines', machine],
  ['a bare metal instance', '/bare-metal/instances', exampleOf(NewBareMetalInstance)],
  ['a volume', '/volumes', exampleOf(NewVolume)],
] as const
const Balance = z.object({ available: z.object({ USD: z.number() }) })

describe('the rules of the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  it('start with 500 USD', async () => {
    await sandbox.control('POST', '/clock', { held: true })
    const { available } = await sandbox.read(Balance, '/billing/balance')
    expect(available.USD).toBeCloseTo(500, 0)
  })

  it.each(creations)('forbid %s while the balance is negative', async (_, path, body) => {
    await sandbox.control('PUT', '/balance', { USD: -12.34 })
    const refused = await sandbox.ask('POST', path, body)
    expect(refused).toMatchObject({ code: 402, status: false })
    expect(refused.message).toContain('-12.34 USD')
    await sandbox.control('PUT', '/balance', { USD: 100 })
    expect((await sandbox.ask('POST', path, body)).code).toBe(200)
  })

  it('start with the configured balance', async () => {
    const poor = await startTestSandbox({ balance: -5 })
    const { available } = await poor.read(Balance, '/billing/balance')
    expect(available.USD).toBeLessThanOrEqual(-5)
    expect((await poor.ask('POST', '/virtual-machines', machine)).code).toBe(402)
    await poor.close()
  })

  it('clear the description of an API token that is updated without one', async () => {
    const created = await sandbox.ask('POST', '/api-tokens', { name: 'ci', description: 'nightly' })
    const { id } = z.object({ id: z.string() }).parse(created.data)
    const updated = await sandbox.ask('PUT', `/api-tokens/${id}`, { name: 'ci-2' })
    expect(updated.data).toMatchObject({ name: 'ci-2', description: '' })
  })

  it('use the short name of GPUs on some flavors, and the long name on others', async () => {
    const Groups = z.array(z.object({ products: z.array(z.object({ gpu: z.string() })) }))
    const groups = await sandbox.read(Groups, '/flavors')
    const models = new Set(groups.flatMap(({ products }) => products.map(({ gpu }) => gpu)))
    for (const short of ['H100', 'H200', 'RTX_PRO_6000']) expect(models).toContain(short)
    for (const long of ['NVIDIA H100 80GB SXM', 'NVIDIA H200 141GB SXM', 'NVIDIA RTX PRO 6000 96GB'])
      expect(models).toContain(long)
  })

  const names = [
    ['a control character', 'a\u0007b'],
    ['a line feed', 'a\nb'],
    ['a C1 control character', 'a\u0085b'],
    ['an unpaired high surrogate', 'a\ud83d'],
    ['an unpaired low surrogate', '\ude00b'],
  ] as const
  const named = [
    ['/virtual-machines', 'name', (name: string) => ({ ...machine, name })],
    ['/bare-metal/instances', 'name', (name: string) => ({ ...creations[1][2], name })],
    ['/volumes', 'display_name', (name: string) => ({ ...creations[2][2], display_name: name })],
    ['/api-tokens', 'name', (name: string) => ({ name })],
    [
      '/virtual-machines',
      'ssh_key.name',
      (name: string) => ({
        ...machine,
        ssh_key: { ...z.object({ public_key: z.string() }).parse(machine.ssh_key), name },
      }),
    ],
  ] as const
  it.each(
    named.flatMap(([path, field, bodyOf]) =>
      names.map(([problem, name]) => ({ path, field, problem, body: bodyOf(name) })),
    ),
  )('forbid $problem in $field of $path', async ({ path, field, body }) => {
    expect(await sandbox.ask('POST', path, body)).toMatchObject({ code: 400, data: { field } })
  })

  it('also apply when an API token is renamed', async () => {
    const [token] = await sandbox.read(z.array(z.object({ id: z.string() })), '/api-tokens')
    for (const [, name] of names) {
      expect(await sandbox.ask('PUT', `/api-tokens/${token?.id}`, { name })).toMatchObject({
        code: 400,
        data: { field: 'name' },
      })
    }
  })

  it('allow names in every script, with paired surrogates', async () => {
    const name = 'モデル-модель-🚀'
    expect(await sandbox.ask('POST', '/api-tokens', { name })).toMatchObject({ code: 200, data: { name } })
  })
})
