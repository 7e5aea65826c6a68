import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Statement, Usage } from '#shared/service/billing'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'
import { flavors, volumeTypes } from '../cloud/catalog'

describe('the control API', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const bearer = () => ({ authorization: `Bearer ${sandbox.apiToken}` })
  const regions = () => fetch(`${sandbox.baseUrl}/regions`, { headers: bearer() })
  const fault = (body: unknown) => sandbox.control('POST', '/faults', body)
  const Requests = z.array(
    z.object({ method: z.string(), path: z.string(), status: z.number(), credential: z.string() }),
  )
  const Flavors = z.object({
    data: z.array(
      z.object({ products: z.array(z.object({ id: z.string(), stock_available: z.boolean() })) }),
    ),
  })
  const volume = {
    display_name: 'x',
    region_id: volumeTypes[0]?.region.id,
    type_id: volumeTypes[0]?.id,
    size: 1,
  }

  it('accepts only its own key, not the credentials of the service', async () => {
    const url = `${new URL(sandbox.baseUrl).origin}/control/clock`
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { headers: bearer() })).status).toBe(401)
    expect((await fetch(url, { headers: { 'x-control-key': `${sandbox.controlKey}0` } })).status).toBe(401)
    expect((await sandbox.control('GET', '/clock')).code).toBe(200)
  })

  it('sells out a flavor, and puts it back in stock', async () => {
    const flavor = flavors.find(({ inStock }) => !inStock)
    const set = (in_stock: boolean) => sandbox.control('PUT', `/flavors/${flavor?.id}/stock`, { in_stock })
    const listed = async () => {
      const answer = await fetch(`${sandbox.baseUrl}/flavors`, { headers: bearer() })
      const { data } = Flavors.parse(await answer.json())
      return data.flatMap(({ products }) => products).find(({ id }) => id === flavor?.id)?.stock_available
    }
    expect(await listed()).toBe(false)
    expect((await set(true)).code).toBe(200)
    expect(await listed()).toBe(true)
    await set(false)
    expect(await listed()).toBe(false)
    expect((await sandbox.control('PUT', '/flavors/none/stock', { in_stock: true })).code).toBe(404)
  })

  it('sets and advances the clock of the whole sandbox', async () => {
    const Time = z.object({ now: z.number() })
    const noon = Time.parse((await sandbox.control('GET', '/clock')).data).now + 10 * 86_400
    expect(Time.parse((await sandbox.control('POST', '/clock', { now: noon })).data).now).toBe(noon)
    const { now } = Time.parse((await sandbox.control('POST', '/clock', { advance: 3_600 })).data)
    expect(now - noon - 3_600).toBeLessThan(5)
    expect(await sandbox.control('POST', '/clock', { advance: 1, now: 1 })).toMatchObject({ code: 400 })
  })

  it('reports a ledger that agrees with the service to the millionth', async () => {
    const Ledger = z.object({
      resources: z.array(
        z.object({
          usage_id: z.string(),
          resource_id: z.string(),
          per_minute: z.number().int(),
          minutes: z.number(),
          fee: z.number().int(),
          charged: z.number().int(),
        }),
      ),
      totals: z.object({ fee: z.number(), charged: z.number(), per_minute: z.number() }),
    })
    await sandbox.control('POST', '/clock', { held: true })
    const ledger = Ledger.parse((await sandbox.control('GET', '/ledger')).data)
    for (const entry of ledger.resources) {
      expect(entry.fee).toBe(entry.per_minute * entry.minutes)
      expect(entry.charged).toBe(entry.fee)
    }
    expect(ledger.totals.fee).toBe(ledger.totals.charged)
    expect(ledger.totals.per_minute).toBeGreaterThan(0)

    const usage = await sandbox.read(z.array(Usage), '/billing/resources/usage?limit=1000')
    const reported = usage.map(({ id, per_minute_fee, total_uptime }) => [id, per_minute_fee, total_uptime])
    const kept = ledger.resources.map((entry) => [entry.usage_id, entry.per_minute / 1e6, entry.minutes])
    expect(reported).toEqual(kept)
    for (const entry of usage) {
      expect(entry.total_fee).toBeCloseTo((entry.per_minute_fee ?? 0) * (entry.total_uptime ?? 0), 2)
    }
    const [one] = ledger.resources
    const filters = encodeURIComponent(
      JSON.stringify([{ key: 'resource_id', op: 'eq', val: one?.resource_id }]),
    )
    const statements = await sandbox.read(
      z.array(Statement),
      `/billing/resources/statements?limit=1000&filters=${filters}`,
    )
    expect(statements.reduce((sum, statement) => sum + statement.amount, 0)).toBeCloseTo(
      (one?.charged ?? 0) / 1e6,
      4,
    )
  })

  it('continues to bill a stopped machine, but not a deleted one', async () => {
    const Machines = z.array(z.object({ id: z.string() }))
    const [machine] = await sandbox.read(Machines, '/virtual-machines')
    const uptime = async () => {
      const filters = encodeURIComponent(JSON.stringify([{ key: 'resource.id', op: 'eq', val: machine?.id }]))
      const [entry] = await sandbox.read(z.array(Usage), `/billing/resources/usage?filters=${filters}`)
      return { minutes: entry?.total_uptime ?? 0, status: entry?.status }
    }
    await sandbox.control('PUT', `/machines/${machine?.id}/status`, { status: 'stopped' })
    const before = await uptime()
    await sandbox.control('POST', '/clock', { advance: 3_600 })
    expect(await uptime()).toEqual({ minutes: before.minutes + 60, status: 'active' })
    expect((await sandbox.control('DELETE', `/resources/${machine?.id}`)).code).toBe(200)
    expect((await sandbox.ask('GET', `/virtual-machines/${machine?.id}`)).code).toBe(404)
    await sandbox.control('POST', '/clock', { advance: 3_600 })
    expect(await uptime()).toEqual({ minutes: before.minutes + 60, status: 'terminated' })
    expect((await sandbox.control('DELETE', `/resources/${machine?.id}`)).code).toBe(404)
  })

  it('changes the answers of the next matching requests', async () => {
    await fault({ kind: 'status', status: 429, headers: { 'retry-after': '7' }, count: 2, path: '/regions' })
    expect((await sandbox.ask('GET', '/images')).code).toBe(200)
    for (const response of [await regions(), await regions()]) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    }
    expect((await regions()).status).toBe(200)
    await fault({ kind: 'not-json' })
    expect(await (await regions()).text()).toBe('<html>Welcome</html>')
  })

  it('breaks the connection before or after a creation', async () => {
    const Volumes = z.object({ volumes: z.array(z.unknown()) })
    const count = async () => Volumes.parse((await sandbox.control('GET', '/state')).data).volumes.length
    const before = await count()
    await sandbox.control('PUT', '/balance', { USD: 500 })
    await fault({ kind: 'drop', when: 'before', method: 'POST' })
    await expect(sandbox.ask('POST', '/volumes', volume)).rejects.toThrow('fetch failed')
    expect(await count()).toBe(before)
    await fault({ kind: 'drop', when: 'after', method: 'POST' })
    await expect(sandbox.ask('POST', '/volumes', volume)).rejects.toThrow('fetch failed')
    expect(await count()).toBe(before + 1)
  })

  it('delays answers, and clears faults', async () => {
    await fault({ kind: 'delay', milliseconds: 600_000 })
    await expect(fetch(`${sandbox.baseUrl}/regions`, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    await fault({ kind: 'drop', count: 100 })
    expect((await sandbox.control('GET', '/faults')).data).toHaveLength(1)
    await sandbox.control('DELETE', '/faults')
    expect((await regions()).status).toBe(200)
  })

  it('releases a delayed request when faults are cleared', async () => {
    await fault({ kind: 'delay', milliseconds: 600_000 })
    const late = regions()
    await expect.poll(async () => (await sandbox.control('GET', '/faults')).data).toEqual([])
    await sandbox.control('DELETE', '/faults')
    expect((await late).status).toBe(200)
  })

  it('refuses an unknown fault', async () => {
    expect((await fault({ kind: 'earthquake' })).code).toBe(400)
    expect((await fault({ kind: 'drop', count: 0 })).code).toBe(400)
  })

  it('logs requests without their credentials', async () => {
    await sandbox.control('DELETE', '/requests')
    await regions()
    await sandbox.ask('GET', '/images', undefined, await sandbox.signIn())
    await sandbox.ask('GET', '/nothing')
    const { data } = await sandbox.control('GET', '/requests')
    expect(
      Requests.parse(data).map(({ method, path, status, credential }) => [method, path, status, credential]),
    ).toEqual([
      ['GET', '/api/v1/regions', 200, 'api-token'],
      ['POST', '/api/v1/authenticate/login', 200, 'none'],
      ['GET', '/api/v1/images', 200, 'login'],
      ['GET', '/api/v1/nothing', 404, 'none'],
    ])
    expect(JSON.stringify(data)).not.toContain(sandbox.apiToken)
  })
})
