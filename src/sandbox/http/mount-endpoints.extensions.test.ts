import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'

const State = z.object({
  machines: z.array(
    z.object({ id: z.string(), status: z.string(), address: z.string(), volume_ids: z.array(z.string()) }),
  ),
  volumes: z.array(z.object({ id: z.string(), status: z.string(), attached_to: z.string().nullable() })),
})
const Usage = z.array(
  z.object({
    resource: z.object({ id: z.string() }),
    status: z.string(),
    total_uptime: z.number(),
    terminated_time: z.number().optional(),
  }),
)

const stateOf = async (sandbox: TestSandbox) => State.parse((await sandbox.control('GET', '/state')).data)
const runningIn = async (sandbox: TestSandbox) => {
  const machine = (await stateOf(sandbox)).machines.find(({ status }) => status === 'running')
  if (machine === undefined) throw new Error('the seeded cloud has a machine that runs')
  return machine
}

describe('the extensions of the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const pass = (seconds: number) => sandbox.control('POST', '/clock', { advance: seconds })
  const statusOf = async (id: string) =>
    z.object({ status: z.string() }).parse((await sandbox.ask('GET', `/virtual-machines/${id}`)).data).status
  const usageOf = async (id: string) =>
    (await sandbox.read(Usage, '/billing/resources/usage?limit=1000')).find(
      ({ resource }) => resource.id === id,
    )
  const freshMachine = async () => {
    const { id } = await runningIn(sandbox)
    return id
  }

  it('stop, start and reboot a machine through temporary statuses, and bill it while it is stopped', async () => {
    const id = await freshMachine()
    const path = `/virtual-machines/${id}`
    expect((await sandbox.ask('GET', `${path}/start`)).code).toBe(409)
    expect(await sandbox.ask('GET', `${path}/stop`)).toMatchObject({ code: 200, status: true })
    expect(await statusOf(id)).toBe('stopping')
    expect((await sandbox.ask('GET', `${path}/stop`)).code).toBe(409)
    await pass(10)
    expect(await statusOf(id)).toBe('stopped')
    const before = await usageOf(id)
    await pass(600)
    expect((await usageOf(id))?.total_uptime).toBe((before?.total_uptime ?? 0) + 10)
    expect((await sandbox.ask('GET', `${path}/reboot`)).code).toBe(409)
    await sandbox.ask('GET', `${path}/start`)
    expect(await statusOf(id)).toBe('starting')
    await pass(20)
    expect(await statusOf(id)).toBe('running')
    await sandbox.ask('GET', `${path}/reboot`)
    expect(await statusOf(id)).toBe('rebooting')
    await pass(15)
    expect(await statusOf(id)).toBe('running')
  })

  it('delete a machine: its volumes are detached, its billing ends and its SSH connections are closed', async () => {
    const machine = (await stateOf(sandbox)).machines.find(
      ({ status, volume_ids }) => status === 'running' && volume_ids.length > 0,
    )
    if (machine === undefined) throw new Error('the seeded cloud has a machine with a volume')
    const [volume = ''] = machine.volume_ids
    const socket: Socket = connect(sandbox.sshPort, machine.address)
    await once(socket, 'data')
    const closed = once(socket, 'close')
    expect(await sandbox.ask('DELETE', `/virtual-machines/${machine.id}`)).toMatchObject({ code: 200 })
    await closed
    expect((await sandbox.ask('GET', `/virtual-machines/${machine.id}`)).code).toBe(404)
    expect((await stateOf(sandbox)).volumes.find(({ id }) => id === volume)).toMatchObject({
      status: 'available',
      attached_to: null,
    })
    expect(await usageOf(machine.id)).toMatchObject({ status: 'terminated' })
    expect(await usageOf(volume)).toMatchObject({ status: 'active' })
    expect((await sandbox.ask('DELETE', `/virtual-machines/${machine.id}`)).code).toBe(404)
  })

  it('list volumes, and delete a volume that is not attached', async () => {
    const Volumes = z.array(
      z.object({
        id: z.string(),
        display_name: z.string(),
        bootable: z.boolean(),
        status: z.string(),
        region: z.string(),
        created_time: z.number(),
      }),
    )
    const all = await sandbox.read(Volumes, '/volumes?limit=1000')
    const held = all.find(({ status }) => status === 'in-use')
    const free = all.find(({ status }) => status === 'available')
    expect(await sandbox.ask('DELETE', `/volumes/${held?.id ?? ''}`)).toMatchObject({
      code: 409,
      data: { field: 'id' },
    })
    expect((await sandbox.ask('DELETE', `/volumes/${free?.id ?? ''}`)).code).toBe(200)
    expect(await sandbox.ask('GET', '/volumes?limit=1')).toMatchObject({ total: all.length - 1 })
    expect(await usageOf(free?.id ?? '')).toMatchObject({ status: 'terminated' })
    expect((await sandbox.ask('DELETE', `/volumes/${free?.id ?? ''}`)).code).toBe(404)
    const filter = encodeURIComponent('[{"key":"status","op":"eq","val":"in-use"}]')
    const inUse = await sandbox.read(Volumes, `/volumes?filters=${filter}`)
    expect(inUse.map(({ id }) => id)).toContain(held?.id)
    expect(inUse.every(({ status }) => status === 'in-use')).toBe(true)
  })

  it('report the balance, which falls while machines run', async () => {
    const Balance = z.object({ available: z.object({ USD: z.number() }) })
    const before = await sandbox.read(Balance, '/billing/balance')
    await pass(3_600)
    const after = await sandbox.read(Balance, '/billing/balance')
    expect(before.available.USD).toBeGreaterThan(0)
    expect(after.available.USD).toBeLessThan(before.available.USD)
  })

  it('create an API token that is valid until it is deleted', async () => {
    const Token = z.object({ id: z.string(), token: z.string() })
    const created = await sandbox.ask('POST', '/api-tokens', { name: 'deploy', description: 'from CI' })
    expect(created).toMatchObject({ code: 200, data: { name: 'deploy', description: 'from CI' } })
    const { id, token } = Token.parse(created.data)
    const authorization = { authorization: `Bearer ${token}` }
    expect((await sandbox.ask('GET', '/api-tokens', undefined, authorization)).code).toBe(200)
    expect((await sandbox.ask('DELETE', `/api-tokens/${id}`)).code).toBe(200)
    expect((await sandbox.ask('GET', '/api-tokens', undefined, authorization)).code).toBe(401)
    expect((await sandbox.ask('DELETE', `/api-tokens/${id}`)).code).toBe(404)
    const long = { name: 'n'.repeat(51) }
    expect(await sandbox.ask('POST', '/api-tokens', long)).toMatchObject({
      code: 400,
      data: { field: 'name' },
    })
  })
})

describe('a sandbox without extensions', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox({ extensions: false })
  })
  afterAll(() => sandbox.close())

  it('answers 404 to every extension, and changes nothing', async () => {
    const { id } = await runningIn(sandbox)
    const machine = `/virtual-machines/${id}`
    for (const [method, path] of [
      ['GET', '/regions'],
      ['GET', '/volume-types'],
      ['GET', '/volumes'],
      ['DELETE', '/volumes/x'],
      ['GET', `${machine}/start`],
      ['GET', `${machine}/stop`],
      ['GET', `${machine}/reboot`],
      ['DELETE', machine],
      ['GET', '/billing/balance'],
      ['POST', '/api-tokens'],
      ['DELETE', '/api-tokens/x'],
      ['PUT', machine],
      ['GET', '/openapi.json'],
    ] as const) {
      expect(await sandbox.ask(method, path), `${method} ${path}`).toMatchObject({ code: 404, status: false })
    }
    expect((await runningIn(sandbox)).id).toBe(id)
  })

  it('offers the whole specification', async () => {
    const { id } = await runningIn(sandbox)
    for (const path of [
      '/virtual-machines',
      `/virtual-machines/${id}`,
      `/virtual-machines/${id}/firewall-rules`,
      '/images',
      '/flavors',
      '/bare-metal/images',
      '/bare-metal/flavors',
      '/billing/resources/statements',
      '/billing/resources/usage',
      '/api-tokens',
    ]) {
      expect((await sandbox.ask('GET', path)).code, path).toBe(200)
    }
  })
})
