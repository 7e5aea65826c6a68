import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'

describe('the lists of the sandbox', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox({ machines: 60 })
  })
  afterAll(() => sandbox.close())

  const Machines = z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.string(),
      started_time: z.number().optional(),
      flavor: z.object({ gpu: z.string(), gpu_count: z.number() }),
    }),
  )
  const list = async (query: Record<string, string>) => {
    const answer = await sandbox.ask('GET', `/virtual-machines?${new URLSearchParams(query).toString()}`)
    expect(answer.message).toBe('Virtual machines')
    return { machines: Machines.parse(answer.data), total: answer.total }
  }
  const filtered = (...filters: unknown[]) => list({ limit: '1000', filters: JSON.stringify(filters) })

  it('have 20 entries by default, and up to 1,000', async () => {
    expect(await list({})).toMatchObject({ total: 60, machines: { length: 20 } })
    expect((await list({ limit: '1000' })).machines).toHaveLength(60)
  })

  it('contain every machine once over all pages', async () => {
    const pages = await Promise.all(
      [0, 25, 50].map((offset) => list({ limit: '25', offset: String(offset) })),
    )
    const ids = pages.flatMap((page) => page.machines.map((machine) => machine.id))
    expect(ids).toEqual((await list({ limit: '60' })).machines.map((machine) => machine.id))
    expect(new Set(ids).size).toBe(60)
    expect((await list({ offset: '60' })).machines).toEqual([])
  })

  it('are sorted by text, by number and by a nested field, in both directions', async () => {
    const names = (await list({ limit: '60', sortField: 'name' })).machines.map((machine) => machine.name)
    expect(names).toEqual([...names].sort())
    const down = await list({ limit: '60', sortField: 'flavor.gpu_count', sortOrder: 'desc' })
    const counts = down.machines.map((machine) => machine.flavor.gpu_count)
    expect(counts).toEqual([...counts].sort((left, right) => right - left))
    expect(counts[0]).toBeGreaterThan(counts.at(-1) ?? Number.POSITIVE_INFINITY)
  })

  it('are filtered by every operator', async () => {
    const { machines } = await list({ limit: '60' })
    const expected = (keep: (machine: (typeof machines)[number]) => boolean) =>
      machines.filter(keep).map(({ id }) => id)
    const found = async (filter: unknown) => {
      const page = await filtered(filter)
      expect(page.total).toBe(page.machines.length)
      expect(page.machines.length).toBeGreaterThan(0)
      return page.machines.map(({ id }) => id)
    }
    expect(await found({ key: 'name', op: 'contains', val: 'LLAMA' })).toEqual(
      expected(({ name }) => name.includes('llama')),
    )
    expect(await found({ key: 'status', op: 'eq', val: 'stopped' })).toEqual(
      expected(({ status }) => status === 'stopped'),
    )
    expect(await found({ key: 'status', op: 'ne', val: 'running' })).toEqual(
      expected(({ status }) => status !== 'running'),
    )
    expect(await found({ key: 'flavor.gpu_count', op: 'gt', val: 2 })).toEqual(
      expected(({ flavor }) => flavor.gpu_count > 2),
    )
    expect(await found({ key: 'flavor.gpu_count', op: 'lt', val: '2' })).toEqual(
      expected(({ flavor }) => flavor.gpu_count < 2),
    )
  })

  it('must satisfy all filters', async () => {
    const { machines } = await filtered(
      { key: 'flavor.gpu', op: 'contains', val: 'H100' },
      { key: 'status', op: 'eq', val: 'running' },
    )
    expect(machines.length).toBeGreaterThan(0)
    expect(machines.every(({ flavor, status }) => flavor.gpu.includes('H100') && status === 'running')).toBe(
      true,
    )
  })

  it.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '1001' }],
    ['limit', { limit: 'ten' }],
    ['offset', { offset: '-1' }],
    ['sortOrder', { sortOrder: 'up' }],
    ['sortField', { sortField: 'nothing' }],
    ['sortField', { sortField: 'login.password' }],
    ['filters', { filters: 'name=x' }],
    ['filters', { filters: '{"key":"name","op":"eq","val":"x"}' }],
    ['filters[0].op', { filters: '[{"key":"name","op":"like","val":"x"}]' }],
    ['filters[0].val', { filters: '[{"key":"name","op":"eq"}]' }],
    ['filters[0].key', { filters: '[{"key":"constructor","op":"eq","val":"x"}]' }],
    ['filters[0].val', { filters: '[{"key":"started_time","op":"gt","val":"soon"}]' }],
  ])('refuse a malformed %s: %j', async (field, query) => {
    const answer = await sandbox.ask('GET', `/virtual-machines?${new URLSearchParams(query).toString()}`)
    expect(answer).toMatchObject({ code: 400, status: false, data: { field } })
    expect(answer.message).toContain(field)
  })

  it.each(['/billing/resources/statements', '/billing/resources/usage', '/api-tokens'])(
    'have pages and an order: %s',
    async (path) => {
      const Entries = z.array(z.object({ id: z.string() }))
      const all = await sandbox.ask('GET', `${path}?limit=1000&sortField=id&sortOrder=asc`)
      const second = await sandbox.ask('GET', `${path}?limit=1&offset=1&sortField=id`)
      expect(second.total).toBe(all.total)
      expect(second.data).toMatchObject([{ id: Entries.parse(all.data)[1]?.id }])
    },
  )

  it('filter statements and usage by resource', async () => {
    const Usage = z.array(z.object({ resource: z.object({ id: z.string(), type: z.string() }) }))
    const volume = encodeURIComponent('[{"key":"resource.type","op":"eq","val":"volume"}]')
    const volumes = await sandbox.read(Usage, `/billing/resources/usage?limit=1000&filters=${volume}`)
    expect(new Set(volumes.map((entry) => entry.resource.type))).toEqual(new Set(['volume']))
    const id = volumes[0]?.resource.id ?? ''
    const one = encodeURIComponent(JSON.stringify([{ key: 'resource_id', op: 'eq', val: id }]))
    const statements = await sandbox.read(
      z.array(z.object({ resource_id: z.string() })).min(1),
      `/billing/resources/statements?limit=1000&filters=${one}`,
    )
    expect(statements.every((statement) => statement.resource_id === id)).toBe(true)
  })
})
